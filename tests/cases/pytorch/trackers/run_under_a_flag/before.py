"""A run that is begun under a flag, in an object of the script's own."""

import argparse

import torch
import torch.nn.functional as F
import wandb
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--log", action="store_true")
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Tracker:
    def __init__(self, log):
        self.run = wandb.init(project="digits", config=vars(args)) if log else None

    def report(self, name, value):
        print(name, value)
        if self.run is not None:
            self.run.log({name: value})


tracker = Tracker(args.log)

for epoch in range(2):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        tracker.report("loss", loss.item())
    tracker.report("mean", total / len(loader))
