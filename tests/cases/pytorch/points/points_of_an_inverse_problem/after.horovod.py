"""A coefficient is trained beside the network, in whose equation it stands; the points are not."""

import torch
import torch.nn as nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
rate = torch.tensor([0.5], requires_grad=True)
optimizer = torch.optim.SGD([*model.parameters(), rate], lr=0.05)
x = torch.linspace(0, 1, 40).view(-1, 1).requires_grad_(True)
x_seen = torch.rand(8, 1)
u_seen = torch.exp(x_seen)
if len(x) % hvd.size() != 0:
    raise SystemExit(f"x of {len(x)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x) // hvd.size()
x_share = x[hvd.rank() * rows :][:rows].detach().requires_grad_()
if len(x_seen) % hvd.size() != 0 or len(u_seen) != len(x_seen):
    raise SystemExit(f"x_seen, u_seen of {len(x_seen)}, {len(u_seen)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x_seen) // hvd.size()
x_seen_share = x_seen[hvd.rank() * rows :][:rows]
u_seen_share = u_seen[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for parameter in [rate]:
    hvd.broadcast_(parameter.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for i in range(20):
    u = model(x_share)
    slope = torch.autograd.grad(u, x_share, torch.ones_like(u), create_graph=True)[0]
    loss = ((slope - rate * u) ** 2).mean() + ((model(x_seen_share) - u_seen_share) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    optimizer.step()
hvd.shutdown()
