"""Rows go into a file that is opened where an option says so: they are wholes, and what writes them is no shard's."""

import argparse
import csv

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Mean:
    def __init__(self):
        self.total, self.count, self.value = 0.0, 0, 0.0

    def add(self, value, count):
        self.total += value * count
        self.count += count
        self.value = self.total / self.count


def train():
    mean = Mean()
    for inputs, labels in loader:
        loss = nn.functional.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean.add(loss.item(), len(inputs))
    return mean.value


parser = argparse.ArgumentParser()
parser.add_argument("--log", default="log.csv")
args = parser.parse_args()
if args.log:
    log = open(args.log, "w")
torch.manual_seed(0)
x = torch.randn(320, 6)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with log as output:
    writer = csv.writer(output)
    writer.writerow(["epoch", "loss"])
    for epoch in range(2):
        loss = train()
        writer.writerow([epoch, loss])
