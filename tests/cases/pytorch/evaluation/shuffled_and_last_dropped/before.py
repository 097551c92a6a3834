"""Test data are shuffled and the last batch is dropped: other samples are evaluated each time."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(110, 6)
y = (x[:, 0] > 0).long()
train_loader = DataLoader(TensorDataset(x[:80], y[:80]), batch_size=16, shuffle=True)
test_loader = DataLoader(TensorDataset(x[80:], y[80:]), batch_size=16, shuffle=True, drop_last=True)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in train_loader:
        optimizer.zero_grad()
        criterion(model(a), b).backward()
        optimizer.step()
right, seen = 0, 0
with torch.no_grad():
    for a, b in test_loader:
        right += (model(a).argmax(1) == b).sum().item()
        seen += len(b)
print(right / seen)
