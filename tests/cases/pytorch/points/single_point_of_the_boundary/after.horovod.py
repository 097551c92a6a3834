"""One point of the boundary is no data: all processes have it, and their share of the points inside."""

import torch
import torch.nn as nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(123)
model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
t_boundary = torch.tensor(0.0).view(-1, 1).requires_grad_(True)
t_physics = torch.linspace(0, 1, 30).view(-1, 1).requires_grad_(True)
if len(t_physics) % hvd.size() != 0:
    raise SystemExit(f"{len(t_physics)} samples cannot be shared out evenly over {hvd.size()} processes")
rows = len(t_physics) // hvd.size()
t_physics_share = t_physics[hvd.rank() * rows :][:rows].detach().requires_grad_()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(123 + hvd.rank())
for i in range(100):
    optimizer.zero_grad()
    u = model(t_boundary)
    loss1 = (torch.squeeze(u) - 1) ** 2
    dudt = torch.autograd.grad(u, t_boundary, torch.ones_like(u), create_graph=True)[0]
    loss2 = (torch.squeeze(dudt) - 0) ** 2
    u = model(t_physics_share)
    dudt = torch.autograd.grad(u, t_physics_share, torch.ones_like(u), create_graph=True)[0]
    d2udt2 = torch.autograd.grad(dudt, t_physics_share, torch.ones_like(dudt), create_graph=True)[0]
    loss3 = torch.mean((d2udt2 + 4 * dudt + 400 * u) ** 2)
    loss = loss1 + 1e-1 * loss2 + 1e-4 * loss3
    loss.backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    optimizer.step()
hvd.shutdown()
