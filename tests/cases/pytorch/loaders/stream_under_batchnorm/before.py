"""The last batch of a stream may be one sample for each process, which BatchNorm1d does not take."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __iter__(self):
        for number in range(64):
            yield torch.tensor([number / 100, 1.0]), torch.tensor([1.0])


loader = DataLoader(Lines(), batch_size=16)
model = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
