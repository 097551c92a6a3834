"""The second training has other points under the same name."""

import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
x = torch.linspace(0, 1, 100).view(-1, 1).requires_grad_(True)
x_b = torch.tensor([[0.0], [1.0]])
u_b = torch.tensor([[0.0], [0.0]])


def loss_fn():
    u = model(x)
    u_x = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
    u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), create_graph=True)[0]
    return torch.mean((u_xx + torch.sin(x)) ** 2) + torch.mean((model(x_b) - u_b) ** 2)


adam = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(50):
    adam.zero_grad()
    loss = loss_fn()
    loss.backward()
    adam.step()
x = torch.rand(80, 1).requires_grad_(True)
lbfgs = torch.optim.LBFGS(model.parameters(), lr=0.5)


def closure():
    lbfgs.zero_grad()
    loss = loss_fn()
    loss.backward()
    return loss


for epoch in range(5):
    lbfgs.step(closure)
