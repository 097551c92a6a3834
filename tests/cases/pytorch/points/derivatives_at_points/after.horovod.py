"""A network is to satisfy an equation inside, and conditions at a start: points and start are not equally many."""

import torch
import torch.nn as nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))

    def forward(self, x, t):
        return self.layers(torch.cat([x, t], dim=1))


def residual(model, x, t):
    u = model(x, t)
    u_t = torch.autograd.grad(u, t, grad_outputs=torch.ones_like(u), create_graph=True)[0]
    u_x = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), create_graph=True)[0]
    u_xx = torch.autograd.grad(u_x, x, grad_outputs=torch.ones_like(u_x), create_graph=True)[0]
    return u_t + u * u_x - 0.01 * u_xx


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
mse = nn.MSELoss()
x_f = torch.rand(1000, 1, requires_grad=True)
t_f = torch.rand(1000, 1, requires_grad=True)
x_i = torch.linspace(-1, 1, 100).view(-1, 1)
t_i = torch.zeros(100, 1)
u_i = -torch.sin(torch.pi * x_i)
if len(x_f) % hvd.size() != 0 or len(t_f) != len(x_f):
    raise SystemExit(f"x_f, t_f of {len(x_f)}, {len(t_f)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x_f) // hvd.size()
x_f_share = x_f[hvd.rank() * rows :][:rows].detach().requires_grad_()
t_f_share = t_f[hvd.rank() * rows :][:rows].detach().requires_grad_()
if len(x_i) % hvd.size() != 0 or len(t_i) != len(x_i) or len(u_i) != len(x_i):
    raise SystemExit(f"x_i, t_i, u_i of {len(x_i)}, {len(t_i)}, {len(u_i)} rows cannot be shared out evenly over {hvd.size()} processes")
rows = len(x_i) // hvd.size()
x_i_share = x_i[hvd.rank() * rows :][:rows]
t_i_share = t_i[hvd.rank() * rows :][:rows]
u_i_share = u_i[hvd.rank() * rows :][:rows]
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(100):
    optimizer.zero_grad()
    f = residual(model, x_f_share, t_f_share)
    loss = mse(f, torch.zeros_like(f)) + mse(model(x_i_share, t_i_share), u_i_share)
    loss.backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    optimizer.step()
    if epoch % 10 == 0:
        total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
        mean_loss = total.item() / hvd.size()
        if hvd.rank() == 0:
            print(epoch, mean_loss)
if hvd.rank() == 0:
    torch.save(model.state_dict(), "burgers.pt")
hvd.shutdown()
