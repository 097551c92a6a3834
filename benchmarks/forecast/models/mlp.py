"""Two dense layers on made-up data: 0.1 million parameters."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(4096, 256)
y = torch.randint(0, 10, (4096,))
loader = DataLoader(TensorDataset(x, y), batch_size=256, shuffle=True)
model = nn.Sequential(nn.Linear(256, 360), nn.ReLU(), nn.Linear(360, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(2000):
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(a), b)
        loss.backward()
        optimizer.step()
