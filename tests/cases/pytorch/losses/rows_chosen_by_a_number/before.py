"""How many rows are valid is read out, and is a size: no sum over the processes takes its place there."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 6), torch.randint(-1, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        valid = int((y >= 0).sum())
        scores = model(x[y >= 0]).view(valid)
        loss = torch.narrow(scores, 0, 0, valid).square().prod()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
