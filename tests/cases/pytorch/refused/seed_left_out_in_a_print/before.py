"""No seed is set in what is printed, which rank 0 alone does: it cannot tell the others how it goes on."""
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


def some(n, seed=None):
    random.seed(seed)
    return random.sample(range(10), k=n)


print(some(4))
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
rows = random.sample(range(64), k=48)
loader = DataLoader(TensorDataset(x[rows], y[rows]), batch_size=4, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
