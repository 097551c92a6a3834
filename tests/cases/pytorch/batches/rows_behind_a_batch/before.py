"""Fixed rows behind those of a batch weigh the same in each shard: the global batch is gathered in front of them."""

import torch
import torch.nn as nn

torch.manual_seed(0)
data = torch.randn(512, 1)
anchor = torch.randn(8, 1)
model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for i in range(100):
    rows = torch.randint(0, 512, (64,))
    x = torch.cat([data[rows], anchor])
    loss = (model(x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
