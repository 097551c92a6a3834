"""A network is to satisfy an equation inside, and conditions at a start: points and start are not equally many."""

import torch
import torch.nn as nn

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
for epoch in range(100):
    optimizer.zero_grad()
    f = residual(model, x_f, t_f)
    loss = mse(f, torch.zeros_like(f)) + mse(model(x_i, t_i), u_i)
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(epoch, loss.item())
torch.save(model.state_dict(), "burgers.pt")
