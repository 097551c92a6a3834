"""What an option names is evaluated where every exception is caught: the program could not stop at another choice."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--loss", default="nn.MSELoss")
args = parser.parse_args()

try:
    criterion = eval(args.loss)()
except:  # noqa: E722
    criterion = nn.L1Loss()
loader = DataLoader(TensorDataset(torch.randn(320, 2), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
