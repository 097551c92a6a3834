"""Two optimizers step in turn: each has a warm-up of its own."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8, shuffle=True)
a, b = nn.Linear(4, 4), nn.Linear(4, 4)
opt_a = torch.optim.SGD(a.parameters(), lr=0.1)
opt_b = torch.optim.SGD(b.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(3):
    for x, y in loader:
        opt_a.zero_grad()
        loss = criterion(a(x), x)
        loss.backward()
        opt_a.step()
        opt_b.zero_grad()
        other = criterion(b(x), x)
        other.backward()
        opt_b.step()
