"""Samples come from a generator."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        for number in range(96):
            x = torch.linspace(-1, 1, 5) * (number % 7 - 3) + number / 96
            yield x, (x.sum() > 0.5).float().unsqueeze(0)


torch.manual_seed(9)
loader = DataLoader(Stream(), batch_size=16)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    total, batches = 0.0, 0
    for a, b in loader:
        optimizer.zero_grad()
        loss = criterion(model(a), b)
        loss.backward()
        optimizer.step()
        total, batches = total + loss.item(), batches + 1
    print(f'epoch {epoch}: loss {total / batches:.5f}')
