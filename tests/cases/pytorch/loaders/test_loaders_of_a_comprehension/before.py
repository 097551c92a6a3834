"""Several test loaders made by one comprehension, out of calls on its own variable: all processes evaluate all."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def noisy(level):
    return TensorDataset(torch.randn(80, 8) * level, torch.randn(80, 1))


train_loader = DataLoader(TensorDataset(torch.randn(200, 8), torch.randn(200, 1)), batch_size=20, shuffle=True)
test_loaders = [DataLoader(noisy(level), batch_size=40) for level in (1, 2)]
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    for loader in test_loaders:
        total = 0.0
        with torch.no_grad():
            for x, y in loader:
                total += criterion(model(x), y).item() * len(x)
        print(epoch, total / len(loader.dataset))
