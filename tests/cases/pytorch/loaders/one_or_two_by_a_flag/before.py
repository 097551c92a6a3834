"""A function gives one loader or two, as a flag says; where it is called the two are taken apart."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def load(split=True, batch_size=8):
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    if split:
        train, held_out = random_split(data, [48, 16])
        return DataLoader(train, batch_size=batch_size, shuffle=True), DataLoader(held_out, batch_size=batch_size)
    else:
        return DataLoader(data, batch_size=batch_size, shuffle=True)


loader, held_out = load(split=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for x, y in held_out:
            total += criterion(model(x), y).item() * len(x)
    print(total / len(held_out.dataset))
