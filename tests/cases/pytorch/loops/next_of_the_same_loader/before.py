"""A second batch of the loader that the loop goes over is drawn anew for each step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
inputs = torch.randn(96, 5)
targets = inputs.sum(1, keepdim=True)
data = TensorDataset(inputs, targets)
loader = DataLoader(data, batch_size=16, shuffle=True)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        x2, y2 = next(iter(loader))
        loss = nn.functional.mse_loss(model(x), y) + nn.functional.mse_loss(model(x2), y2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
