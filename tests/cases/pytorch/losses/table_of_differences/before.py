"""A batch in another dimension meets itself."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
loader = DataLoader(data, batch_size=64, shuffle=True, drop_last=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for _ in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        size = model(x).sum(1)
        loss = (size[:, None] - size[None, :]).abs().mean()
        loss.backward()
        optimizer.step()
