"""A function makes both loaders, and nothing tells where it makes which: it gets a flag."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))


def make(data, size):
    return DataLoader(data, batch_size=size, shuffle=True)


train_loader = make(TensorDataset(x[:320], y[:320]), 32)
test_loader = make(TensorDataset(x[320:], y[320:]), 80)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    model.train()
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
    hits = 0
    model.eval()
    with torch.no_grad():
        for inputs, labels in test_loader:
            hits += (model(inputs).argmax(1) == labels).sum().item()
    print(epoch, hits / len(test_loader.dataset))
