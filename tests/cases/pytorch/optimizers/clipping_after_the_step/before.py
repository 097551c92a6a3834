"""Gradients are clipped after the step, where those of the last batch are averaged with both engines."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 4), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    for x, y in loader:
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        nn.utils.clip_grad_value_(model.parameters(), 1.0)
        optimizer.zero_grad()
