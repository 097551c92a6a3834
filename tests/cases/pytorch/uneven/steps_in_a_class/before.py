"""Shares of a batch may differ in size: a step in a method, batches in the order of the data, the last one dropped."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, data):
        self.loader = DataLoader(data, batch_size=15, drop_last=True)
        self.model = nn.Linear(8, 2)
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def epoch(self):
        total = 0.0
        for x, y in self.loader:
            total += self.step(x, y)
        return total / len(self.loader)


torch.manual_seed(0)
trainer = Trainer(TensorDataset(torch.randn(80, 8), torch.randint(0, 2, (80,))))
for epoch in range(3):
    print(epoch, trainer.epoch())
