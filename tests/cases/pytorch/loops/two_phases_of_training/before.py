"""Two training loops one after the other over the same loader: both get set_epoch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(600, 10), torch.randint(0, 4, (600,)))
loader = DataLoader(data, batch_size=30, shuffle=True)
model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 4))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

print("warming up")
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()

print("training")
for group in optimizer.param_groups:
    group["lr"] = 0.01
for epoch in range(8):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
