"""What is evaluated is one of several losses, but in the pass over the batches, where the program cannot stop."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def absolute(output, target):
    return (output - target).abs().mean()


def squared(output, target):
    return (output - target).pow(2).mean()


parser = argparse.ArgumentParser()
parser.add_argument("--loss", choices=["absolute", "squared"], required=True)
args = parser.parse_args()
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = eval(args.loss)(model(x), y)
        loss.backward()
        optimizer.step()
