"""A function makes two loaders of one training: rank 0 draws the orders of both, which begin differently."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def shuffled(data, size):
    return DataLoader(data, batch_size=size, shuffle=True)


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
large, small = shuffled(data, 16), shuffled(data, 8)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in large:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    for x, y in small:
        optimizer.zero_grad()
        (0.5 * criterion(model(x), y)).backward()
        optimizer.step()
torch.save(model.state_dict(), "model.pt")
