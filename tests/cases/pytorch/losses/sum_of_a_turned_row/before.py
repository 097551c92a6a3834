"""A sum along the last dimension of a turned batch is one over the samples."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(640, 10), torch.randn(640, 4))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = (model(x) - y).T.sum(dim=-1).pow(2).mean()
        loss.backward()
        optimizer.step()
