"""Points are drawn anew in each step, inside and at the boundary, of which there are fewer."""

import torch
import torch.nn as nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def share_rows(batch):
    if len(batch) % hvd.size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {hvd.size()} processes")
    rows = len(batch) // hvd.size()
    return batch[hvd.rank() * rows :][:rows].detach().requires_grad_(batch.requires_grad)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for i in range(100):
    x = share_rows(torch.rand(64, 1, requires_grad=True))
    x_b = share_rows(torch.rand(16, 1))
    u = model(x)
    u_x = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    loss = ((u_x - torch.cos(x)) ** 2).mean() + ((model(x_b) - torch.sin(x_b)) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    optimizer.step()
hvd.shutdown()
