"""What is evaluated is called: it is no plain value, and no default says what it is."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--loss", required=True)
args = parser.parse_args()

criterion = eval(args.loss)()
data = TensorDataset(torch.randn(320, 2), torch.randn(320, 1))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
