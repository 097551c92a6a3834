"""An object makes the batches, and each update collects the gradients of several of them; two updates for each."""

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
np.random.seed(0)
x = torch.randn(96, 6)
y = (x.sum(dim=1) > 0).long()


class Batches:
    def __init__(self, features, labels, size):
        self.features, self.labels, self.size = features, labels, size

    def __iter__(self):
        order = np.random.permutation(len(self.features))
        for start in range(0, len(order), self.size):
            rows = order[start : start + self.size]
            yield self.features[rows], self.labels[rows]


model = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
batches = Batches(x, y, 12)
for epoch in range(2):
    running = 0.0
    for features, labels in batches:
        for repetition in range(2):
            optimizer.zero_grad()
            loss = criterion(model(features), labels)
            loss.backward()
            optimizer.step()
        running += loss.item()
    print(f"epoch {epoch}: loss {running / 8:.5f}")
