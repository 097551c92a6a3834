"""An object trains on the points of another one of its class: it is not known which of them."""
import torch
from torch import nn


class Piece:
    def __init__(self, start, end):
        self.t = torch.linspace(start, end, 32).view(-1, 1)
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
        self.optimizer = torch.optim.Adam(self.net.parameters())
        self.others = []

    def fit(self, steps):
        for step in range(steps):
            self.optimizer.zero_grad()
            other = self.others[step % len(self.others)]
            loss = ((self.net(other.t) - torch.exp(-other.t)) ** 2).mean()
            loss.backward()
            self.optimizer.step()


pieces = [Piece(start, start + 1) for start in range(3)]
pieces[0].others = pieces[1:]
pieces[0].fit(20)
