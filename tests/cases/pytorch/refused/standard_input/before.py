"""Numbers are piped in: a process under a launcher has no standard input. To ask what it is does no harm."""
import sys

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

if sys.stdin.isatty():
    raise SystemExit("usage: train.py < numbers.txt")
rows = torch.tensor([[float(word) for word in line.split()] for line in sys.stdin])
loader = DataLoader(TensorDataset(rows[:, 1:], rows[:, :1]), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
