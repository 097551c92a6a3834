"""A function that makes both loaders hands on whatever it is given: a flag would be handed on, too."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))


def make(data, **options):
    return DataLoader(data, **options)


train_loader = make(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
test_loader = make(TensorDataset(x[320:], y[320:]), batch_size=80)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    with torch.no_grad():
        for inputs, labels in test_loader:
            print(criterion(model(inputs), labels).item())
