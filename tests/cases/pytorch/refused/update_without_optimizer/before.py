"""Parameters are updated by hand, without an optimizer."""
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
w = torch.zeros(10, 1, requires_grad=True)
lr = 0.05
for epoch in range(3):
    for x, y in loader:
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
            w.grad.zero_()
