"""The optimizer is made by a factory of another library."""
import torch
import torch.nn as nn
from timm.optim import create_optimizer_v2
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = create_optimizer_v2(model, opt="lamb", lr=5e-3, weight_decay=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
