"""Points that a network is derived by, drawn once and anew, conditions at a boundary of which there are fewer."""

import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.rand(48, 1, requires_grad=True)
t = torch.rand(48, 1).requires_grad_(True)
x_start = torch.linspace(-1, 1, 12).view(-1, 1)
t_start = torch.zeros(12, 1)
u_start = -torch.sin(3 * x_start)


def residual(x, t):
    u = model(torch.cat([x, t], dim=1))
    u_x, u_t = torch.autograd.grad(u, (x, t), torch.ones_like(u), create_graph=True)
    u_xx = torch.autograd.grad(u_x.sum(), x, create_graph=True)[0]
    return u_t + u * u_x - 0.1 * u_xx


for step in range(12):
    start = model(torch.cat([x_start, t_start], dim=1))
    loss = residual(x, t).pow(2).mean() + (start - u_start).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
for step in range(12):
    x_new = torch.rand(24, 1, requires_grad=True)
    t_new = torch.rand(24, 1, requires_grad=True)
    loss = residual(x_new, t_new).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
