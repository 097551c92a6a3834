"""The derivative of a mean over the points is 1/n of that of each, and N/n on a shard."""

import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.linspace(0, 1, 40).view(-1, 1).requires_grad_(True)
x_b = torch.rand(8, 1)
for i in range(20):
    u = model(x)
    slope = torch.autograd.grad(u.mean(), x, create_graph=True)[0]
    loss = (slope**2).mean() + (model(x_b) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
