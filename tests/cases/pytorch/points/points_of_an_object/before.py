"""An object has points, bounds and network, and makes its losses of them; its method is the closure of a step."""
import numpy as np
import torch
from torch import nn


class Burgers:
    def __init__(self, seen, u, inside, low, high):
        self.low = torch.tensor(low).float()
        self.high = torch.tensor(high).float()
        self.x_seen = torch.tensor(seen[:, 0:1], requires_grad=True).float()
        self.t_seen = torch.tensor(seen[:, 1:2], requires_grad=True).float()
        self.x_inside = torch.tensor(inside[:, 0:1], requires_grad=True).float()
        self.t_inside = torch.tensor(inside[:, 1:2], requires_grad=True).float()
        self.u = torch.tensor(u).float()
        self.net = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 1))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.steps = 0

    def net_u(self, x, t):
        points = 2.0 * (torch.cat([x, t], dim=1) - self.low) / (self.high - self.low) - 1.0
        return self.net(points)

    def net_f(self, x, t):
        u = self.net_u(x, t)
        u_t = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]
        u_x = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
        u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), create_graph=True)[0]
        return u_t + u * u_x - 0.01 * u_xx

    def closure(self):
        self.optimizer.zero_grad()
        loss = ((self.net_u(self.x_seen, self.t_seen) - self.u) ** 2).mean()
        loss += (self.net_f(self.x_inside, self.t_inside) ** 2).mean()
        loss.backward()
        self.steps += 1
        if self.steps % 20 == 0:
            print(self.steps, f"{loss.item():.4e}")
        return loss

    def train(self, steps):
        for _ in range(steps):
            self.optimizer.step(self.closure)


torch.manual_seed(3)
numbers = np.random.default_rng(3)
seen = numbers.uniform(-1, 1, (40, 2))
inside = numbers.uniform(-1, 1, (200, 2))
burgers = Burgers(seen, -np.sin(np.pi * seen[:, 0:1]), inside, inside.min(0), inside.max(0))
burgers.train(60)
