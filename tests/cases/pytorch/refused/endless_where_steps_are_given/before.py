"""A trainer goes over its loader without end where it is given a number of steps, as it is here by a file."""
from itertools import repeat

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def endless(loader):
    for each in repeat(loader):
        yield from each


class Trainer:
    def __init__(self, model, loader, epochs, steps=None):
        self.model, self.epochs = model, epochs
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.criterion = nn.CrossEntropyLoss()
        if steps is None:
            self.loader = loader
            self.steps = len(loader)
        else:
            self.loader = endless(loader)
            self.steps = steps

    def train(self):
        for epoch in range(self.epochs):
            for x, y in self.loader:
                loss = self.criterion(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()


torch.manual_seed(3)
steps = int(open("steps.txt").read())
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
trainer = Trainer(nn.Linear(4, 2), DataLoader(data, batch_size=16, shuffle=True), epochs=2, steps=steps)
trainer.train()
