"""Noise of as many rows as a batch has meets it under another name: it is no table."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 6), torch.randn(96, 1)), batch_size=16, drop_last=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        noise = torch.randn(16, 6)
        small = 0.1 * noise
        print(small.mean())
        loss = ((model(x + small) - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
