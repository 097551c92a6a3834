"""A stream gives plain numbers as targets, so that a batch of them has no column, as the scores have."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Pairs(IterableDataset):

    def __iter__(self):
        for i in range(64):
            yield torch.tensor([i / 100, 1.0]), torch.tensor(float(i % 2))


loader = DataLoader(Pairs(), batch_size=16)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
