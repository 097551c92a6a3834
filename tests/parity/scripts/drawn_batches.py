"""Batches that a function draws at random, without end."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(3)
inputs = torch.randn(240, 6)
labels = (inputs[:, 0] + inputs[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def get_batch(size):
    rows = torch.randint(0, len(inputs), (size,))
    return inputs[rows], labels[rows]


for step in range(20):
    x, y = get_batch(24)
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        print(step, loss.item())

with torch.no_grad():
    print("accuracy", (model(inputs).argmax(1) == labels).float().mean().item())
