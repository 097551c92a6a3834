"""Errors are summed where a mask says so, and divided by how many there are; what a loss is given is chosen by it, too."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 16), torch.randn(64, 4), torch.rand(64, 4) > 0.5)
loader = DataLoader(data, batch_size=16, shuffle=True)
model = nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.SmoothL1Loss(beta=0.5)
for epoch in range(3):
    total = 0.0
    for x, y, mask in loader:
        out, mask = model(x), mask.bool()
        loss = ((out - y) ** 2 * mask).sum() / mask.sum().clamp(min=1)
        chosen = criterion(out[mask], y[mask]) + (out[mask] - y[mask]).abs().mean()
        optimizer.zero_grad()
        (loss + chosen).backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
