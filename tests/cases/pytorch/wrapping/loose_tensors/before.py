"""Weights are loose tensors given to SGD, without a module: nothing for DDP to wrap."""
import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(500, 2)
y = x @ torch.tensor([[2.0], [-3.4]]) + 4.2
loader = DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True)
w = torch.zeros(2, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.03)
for epoch in range(3):
    for xb, yb in loader:
        loss = ((xb @ w + b - yb) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(w, b)
