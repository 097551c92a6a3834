"""Two loaders go over one data set in each epoch: the second one begins with an order of its own."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
torch.manual_seed(args.seed)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
large = DataLoader(data, batch_size=16, shuffle=True)
small = DataLoader(data, batch_size=8, shuffle=True)
sorted_ones = DataLoader(data, batch_size=8)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in large:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    for x, y in small:
        optimizer.zero_grad()
        (0.5 * criterion(model(x), y)).backward()
        optimizer.step()
    for x, y in sorted_ones:
        optimizer.zero_grad()
        (0.1 * criterion(model(x), y)).backward()
        optimizer.step()
torch.save(model.state_dict(), "model.pt")
