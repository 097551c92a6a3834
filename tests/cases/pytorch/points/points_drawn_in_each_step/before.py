"""Points are drawn anew in each step, inside and at the boundary, of which there are fewer."""

import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for i in range(100):
    x = torch.rand(64, 1, requires_grad=True)
    x_b = torch.rand(16, 1)
    u = model(x)
    u_x = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    loss = ((u_x - torch.cos(x)) ** 2).mean() + ((model(x_b) - torch.sin(x_b)) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
