"""A function may be looked up by a text that is not known: what it calls, and prints, is told of."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def described():
    summary()


def summary():
    print("a linear layer")


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
globals()[sys.stdin.encoding + sys.platform]()
