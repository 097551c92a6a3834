"""Weak scaling: the rate is written into param_groups each epoch, from a global: what is written must be scaled, once."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

LR = 0.1
loader = DataLoader(TensorDataset(torch.randn(3200, 10), torch.randn(3200, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=LR)
for epoch in range(60):
    for group in optimizer.param_groups:
        group["lr"] = LR * 0.1 ** (epoch // 20)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
