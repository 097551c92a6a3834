"""Targets with a column are expanded, and keep their samples apart: this is converted."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64, 1)
device = torch.device("cpu")
loader = DataLoader(TensorDataset(x, y), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


for epoch in range(2):
    total = 0.0
    for batch in loader:
        a, b = batch
        b = b.expand(-1, 3)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a).expand(-1, 3), b)
        loss.backward()
        optimizer.step()
        total += loss.item() * 8
    print(epoch, total / 64)
