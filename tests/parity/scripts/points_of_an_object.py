"""Points and network of an object; its method is the closure of a step, and LBFGS goes on by itself at the end."""

import torch
from torch import nn


class Decay:
    def __init__(self):
        self.low = torch.tensor([0.0])
        self.high = torch.tensor([2.0])
        self.t = torch.linspace(0, 2, 48, dtype=torch.float64).view(-1, 1).float().requires_grad_(True)
        self.t_start = torch.linspace(0, 0.1, 8).view(-1, 1)
        self.x_start = torch.exp(-self.t_start)
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.02)
        self.lbfgs = torch.optim.LBFGS(self.net.parameters(), lr=0.1, max_iter=4)

    def x(self, t):
        return self.net(2.0 * (t - self.low) / (self.high - self.low) - 1.0)

    def loss(self):
        x = self.x(self.t)
        speed = torch.autograd.grad(x, self.t, torch.ones_like(x), create_graph=True)[0]
        return (speed + x).pow(2).mean() + (self.x(self.t_start) - self.x_start).pow(2).mean()

    def closure(self):
        self.optimizer.zero_grad()
        loss = self.loss()
        loss.backward()
        print(loss.item())
        return loss

    def last(self):
        self.lbfgs.zero_grad()
        loss = self.loss()
        loss.backward()
        return loss

    def fit(self, steps):
        for _ in range(steps):
            self.optimizer.step(self.closure)
        loss = self.lbfgs.step(self.last)
        print(loss.item())


torch.manual_seed(0)
Decay().fit(12)
