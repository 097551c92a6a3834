"""The training data themselves are drawn without a seed: every rank must hold the same data, or the shares are of different sets."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.rand(1000, 3)
y = (x * torch.tensor([1.0, 2.0, 3.0])).sum(1, keepdim=True) + 0.05 * torch.randn(1000, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=50, shuffle=True)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(5):
    for xb, yb in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(xb), yb).backward()
        optimizer.step()
print(model.weight)
