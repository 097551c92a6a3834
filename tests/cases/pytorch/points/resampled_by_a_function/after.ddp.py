"""A function sets points of the module anew for each step; those of the boundary stay."""

import torch
import torch.nn as nn
import os
import torch.distributed as dist
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.rand(40, 1, requires_grad=True)
x_b = torch.rand(8, 1)


def share_rows(batch):
    if len(batch) % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
    rows = len(batch) // dist.get_world_size()
    return batch[dist.get_rank() * rows :][:rows].detach().requires_grad_(batch.requires_grad)


def resample():
    global x
    x = share_rows(torch.rand(40, 1, requires_grad=True))


if len(x_b) % dist.get_world_size() != 0:
    raise SystemExit(f"{len(x_b)} samples cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x_b) // dist.get_world_size()
x_b_share = x_b[dist.get_rank() * rows :][:rows]
for tensor in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor.data, src=0)
for i in range(20):
    resample()
    u = model(x)
    slope = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
    loss = ((slope - 1) ** 2).mean() + (model(x_b_share) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    optimizer.step()
dist.destroy_process_group()
