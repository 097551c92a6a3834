"""A class trains, and nothing makes an object of it: that a layer is trained by a method of this name says nothing."""
import torch
from torch import nn


class Solver:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def train(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()


model = nn.Linear(4, 1)
model.train()
print(model)
