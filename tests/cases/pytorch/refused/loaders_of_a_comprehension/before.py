"""One call in a comprehension makes the training and the test loader: its names mean nothing in front of it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

sets = [(TensorDataset(torch.randn(200, 8), torch.randn(200, 1)), True),
        (TensorDataset(torch.randn(80, 8), torch.randn(80, 1)), False)]
loaders = [DataLoader(data, 20, shuffled) for data, shuffled in sets]
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for x, y in loaders[0]:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        total = sum(criterion(model(x), y).item() for x, y in loaders[1])
    print(epoch, total / len(loaders[1]))
