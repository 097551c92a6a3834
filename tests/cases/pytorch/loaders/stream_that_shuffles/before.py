"""A stream that shuffles by numbers that differ between processes would give each of them other samples."""
import random
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __iter__(self):
        numbers = list(range(64))
        random.shuffle(numbers)
        for number in numbers:
            yield torch.tensor([number / 100, 1.0]), torch.tensor([1.0])


loader = DataLoader(Lines(), batch_size=16)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
