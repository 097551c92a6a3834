"""The squared errors are summed and divided by len(x) by hand: a mean over the local batch, right under averaging."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(600, 8), torch.randn(600, 1)), batch_size=30, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
for epoch in range(4):
    for x, y in loader:
        loss = ((model(x) - y) ** 2).sum() / len(x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
