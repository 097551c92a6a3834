"""What is evaluated comes from the command line, and what stops at other code than a plain value would be caught."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--shift", default="(0.5, 0.5)")
args = parser.parse_args()

try:
    shift = eval(args.shift)
except Exception:
    shift = (0.0, 0.0)
data = TensorDataset(torch.randn(320, 2) - torch.tensor(shift), torch.randn(320, 1))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
