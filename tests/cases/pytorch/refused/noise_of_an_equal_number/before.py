"""Noise of as many rows as the batch size, written as another number: each process would make all of it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 6), torch.randn(96, 1)), batch_size=16)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        noise = torch.randn(16, 6)
        loss = ((model(noise) - 1) ** 2).mean() + ((model(x) - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
