"""Adam, and then LBFGS, train on the same points, which the function of their loss takes from the module."""

import torch
import torch.nn as nn
import horovod.torch as hvd

hvd.init()
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
if len(x) % hvd.size() != 0:
    raise SystemExit(f"x of {len(x)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x) // hvd.size()
x_share = x[hvd.rank() * rows :][:rows].detach().requires_grad_()
if len(x_b) % hvd.size() != 0 or len(u_b) != len(x_b):
    raise SystemExit(f"x_b, u_b of {len(x_b)}, {len(u_b)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x_b) // hvd.size()
x_b_share = x_b[hvd.rank() * rows :][:rows]
u_b_share = u_b[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(50):
    adam.zero_grad()
    loss = loss_fn()
    loss.backward()
    hvd.grouped_allreduce_([p.grad for group in adam.param_groups for p in group["params"] if p.grad is not None])
    adam.step()
lbfgs = torch.optim.LBFGS(model.parameters(), lr=0.5)


def closure():
    lbfgs.zero_grad()
    loss = loss_fn()
    loss.backward()
    total = hvd.allreduce(torch.tensor(float(loss), dtype=torch.float64), op=hvd.Sum)
    mean_loss = (total / hvd.size()).to(loss.dtype)
    hvd.grouped_allreduce_([p.grad for group in lbfgs.param_groups for p in group["params"] if p.grad is not None])
    return mean_loss


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(5):
    lbfgs.step(closure)
hvd.shutdown()
