"""A stream over another one that draws: the numbers differ between processes, so the samples would."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        for number in range(self.count):
            yield torch.tensor([number / 100, torch.rand(1).item()]), torch.tensor([1.0])


class Shifted(IterableDataset):
    def __init__(self, lines):
        self.lines = lines

    def __iter__(self):
        for x, y in self.lines:
            yield x + 1, y


loader = DataLoader(Shifted(Lines(64)), batch_size=16)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
