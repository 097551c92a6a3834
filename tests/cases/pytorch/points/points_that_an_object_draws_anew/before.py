"""Points are an attribute that is drawn anew now and then: which rows a process has of it is not known before."""
import torch
from torch import nn


class Decay:
    def __init__(self):
        self.t = torch.rand(64, 1)
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def draw(self):
        self.t = torch.rand(64, 1)

    def fit(self, steps):
        for step in range(steps):
            if step % 10 == 0:
                self.draw()
            self.optimizer.zero_grad()
            loss = ((self.net(self.t) - torch.exp(-self.t)) ** 2).mean()
            loss.backward()
            self.optimizer.step()


Decay().fit(100)
