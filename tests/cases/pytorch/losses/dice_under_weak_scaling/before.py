"""A ratio of sums over the batch is written for strong scaling."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 16), torch.rand(64, 4)), batch_size=16, shuffle=True)
model = nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        p = torch.sigmoid(model(x))
        loss = 1 - 2 * (p * y).sum() / (p.sum() + y.sum() + 1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
