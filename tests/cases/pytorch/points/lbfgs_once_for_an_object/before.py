"""A single call of a step goes on until it has converged: its evaluations are the loop, after another of Adam."""
import torch
from torch import nn


class Oscillator:
    def __init__(self, count):
        self.t = torch.linspace(0, 6, count).view(-1, 1).requires_grad_(True)
        self.t_start = torch.zeros(4, 1)
        self.x_start = torch.ones(4, 1)
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
        self.adam = torch.optim.Adam(self.net.parameters(), lr=1e-2)
        self.lbfgs = torch.optim.LBFGS(self.net.parameters(), max_iter=15, line_search_fn="strong_wolfe")

    def loss(self):
        x = self.net(self.t)
        speed = torch.autograd.grad(x, self.t, torch.ones_like(x), create_graph=True)[0]
        force = torch.autograd.grad(speed, self.t, torch.ones_like(speed), create_graph=True)[0]
        return ((force + x) ** 2).mean() + ((self.net(self.t_start) - self.x_start) ** 2).mean()

    def fit(self):
        for step in range(30):
            self.adam.zero_grad()
            loss = self.loss()
            loss.backward()
            self.adam.step()

        def closure():
            self.lbfgs.zero_grad()
            loss = self.loss()
            loss.backward()
            return loss

        self.lbfgs.step(closure)


torch.manual_seed(5)
oscillator = Oscillator(100)
oscillator.fit()
torch.save(oscillator.net.state_dict(), "oscillator.pt")
