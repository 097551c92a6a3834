"""Batches are repeated, the targets without a column: the loss of [B, 1] and [B] must be refused."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64)
device = torch.device("cpu")
loader = DataLoader(TensorDataset(x, y), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


for epoch in range(2):
    total = 0.0
    for batch in loader:
        a, b = batch
        a, b = a.repeat(2, 1), b.repeat(2)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item() * 8
    print(epoch, total / 64)
