"""Adam, and then LBFGS, train on the same points, which the function of their loss takes from the module."""

import torch
import torch.nn as nn
import os
import torch.distributed as dist
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
x = torch.linspace(0, 1, 100).view(-1, 1).requires_grad_(True)
x_b = torch.tensor([[0.0], [1.0]])
u_b = torch.tensor([[0.0], [0.0]])


def loss_fn():
    u = model(x_share)
    u_x = torch.autograd.grad(u, x_share, torch.ones_like(u), create_graph=True)[0]
    u_xx = torch.autograd.grad(u_x, x_share, torch.ones_like(u_x), create_graph=True)[0]
    return torch.mean((u_xx + torch.sin(x_share)) ** 2) + torch.mean((model(x_b_share) - u_b_share) ** 2)


adam = torch.optim.Adam(model.parameters(), lr=1e-3)
if len(x) % dist.get_world_size() != 0:
    raise SystemExit(f"x of {len(x)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x) // dist.get_world_size()
x_share = x[dist.get_rank() * rows :][:rows].detach().requires_grad_()
if len(x_b) % dist.get_world_size() != 0 or len(u_b) != len(x_b):
    raise SystemExit(f"x_b, u_b of {len(x_b)}, {len(u_b)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x_b) // dist.get_world_size()
x_b_share = x_b[dist.get_rank() * rows :][:rows]
u_b_share = u_b[dist.get_rank() * rows :][:rows]
for tensor_ in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor_.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(50):
    adam.zero_grad()
    loss = loss_fn()
    loss.backward()
    for parameter in [p for group in adam.param_groups for p in group["params"]]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    adam.step()
lbfgs = torch.optim.LBFGS(model.parameters(), lr=0.5)


def closure():
    lbfgs.zero_grad()
    loss = loss_fn()
    loss.backward()
    total = torch.tensor(float(loss), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = (total / dist.get_world_size()).to(loss.dtype)
    for parameter in [p for group in lbfgs.param_groups for p in group["params"]]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    return mean_loss


for tensor_ in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor_.data, src=0)
for epoch in range(5):
    lbfgs.step(closure)
dist.destroy_process_group()
