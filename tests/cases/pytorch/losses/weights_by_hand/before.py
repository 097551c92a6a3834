"""Predictions of one column, a product with a parameter of the model's own, against targets without one: [B, B]."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Linear(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(6, 1) * 0.1)
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return x @ self.weight + self.bias


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randn(48)), batch_size=12, shuffle=True)
model = Linear()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
