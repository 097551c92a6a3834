"""The first training steps two tensors and calls no model, which the second one does."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 3)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)

w = nn.Parameter(torch.randn(3, 1))
b = nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([w, b], lr=0.1)
for epoch in range(2):
    for xb, yb in loader:
        loss = (xb @ w + b - yb).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for xb, yb in loader:
        loss = nn.functional.mse_loss(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
