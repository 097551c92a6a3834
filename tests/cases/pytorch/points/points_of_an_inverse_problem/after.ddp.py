"""A coefficient is trained beside the network, in whose equation it stands; the points are not."""

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
rate = torch.tensor([0.5], requires_grad=True)
optimizer = torch.optim.SGD([*model.parameters(), rate], lr=0.05)
x = torch.linspace(0, 1, 40).view(-1, 1).requires_grad_(True)
x_seen = torch.rand(8, 1)
u_seen = torch.exp(x_seen)
if len(x) % dist.get_world_size() != 0:
    raise SystemExit(f"x of {len(x)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x) // dist.get_world_size()
x_share = x[dist.get_rank() * rows :][:rows].detach().requires_grad_()
if len(x_seen) % dist.get_world_size() != 0 or len(u_seen) != len(x_seen):
    raise SystemExit(f"x_seen, u_seen of {len(x_seen)}, {len(u_seen)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x_seen) // dist.get_world_size()
x_seen_share = x_seen[dist.get_rank() * rows :][:rows]
u_seen_share = u_seen[dist.get_rank() * rows :][:rows]
for tensor_ in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor_.data, src=0)
for parameter in [rate]:
    dist.broadcast(parameter.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for i in range(20):
    u = model(x_share)
    slope = torch.autograd.grad(u, x_share, torch.ones_like(u), create_graph=True)[0]
    loss = ((slope - rate * u) ** 2).mean() + ((model(x_seen_share) - u_seen_share) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    for parameter in [rate]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    optimizer.step()
dist.destroy_process_group()
