"""Two options decide what a batch sets, and what is read of it: no batch sees what the one before has left."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def shifted(batch):
    batch = batch - batch.mean(1, keepdim=True)
    return batch * 0.5


def train(model, loader, optimizer, args):
    for x, y in loader:
        if args.turned:
            other = x.flip(1)
        if args.kind in ("weighed", "both"):
            x, weight = x * 2, x.pow(2).mean(1)
        optimizer.zero_grad()
        output = model(x).squeeze(1)
        loss = (output - y).pow(2).mean()
        if args.turned:
            loss = loss + (model(shifted(other)).squeeze(1) - y).pow(2).mean()
        if args.kind == "weighed":
            loss = loss + (weight * output).mean()
        loss.backward()
        optimizer.step()


parser = argparse.ArgumentParser()
parser.add_argument("--turned", action="store_true")
parser.add_argument("--kind", default="plain")
args = parser.parse_args()
loader = DataLoader(TensorDataset(torch.randn(96, 6), torch.randn(96)), batch_size=12, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    train(model, loader, optimizer, args)
