"""A function sets points of the module anew for each step; those of the boundary stay."""

import torch
import torch.nn as nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.rand(40, 1, requires_grad=True)
x_b = torch.rand(8, 1)


def share_rows(batch):
    if len(batch) % hvd.size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {hvd.size()} processes")
    rows = len(batch) // hvd.size()
    return batch[hvd.rank() * rows :][:rows].detach().requires_grad_(batch.requires_grad)


def resample():
    global x
    x = share_rows(torch.rand(40, 1, requires_grad=True))


if len(x_b) % hvd.size() != 0:
    raise SystemExit(f"{len(x_b)} samples cannot be shared out evenly over {hvd.size()} processes")
rows = len(x_b) // hvd.size()
x_b_share = x_b[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for i in range(20):
    resample()
    u = model(x)
    slope = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
    loss = ((slope - 1) ** 2).mean() + (model(x_b_share) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    optimizer.step()
hvd.shutdown()
