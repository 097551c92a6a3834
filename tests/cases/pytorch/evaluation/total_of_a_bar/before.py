"""Averages are over as many batches as a progress bar says that it has."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
loader = DataLoader(data, batch_size=8, shuffle=True)
held_out = DataLoader(data, batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(3):
    bar = tqdm(loader)
    total = 0.0
    for x, y in bar:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(total / bar.total)
    bar = tqdm(held_out)
    total = 0.0
    with torch.no_grad():
        for x, y in bar:
            total += criterion(model(x), y).item()
    print(total / bar.total)
