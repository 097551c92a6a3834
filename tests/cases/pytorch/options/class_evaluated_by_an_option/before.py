"""A class of the script is evaluated by its name, which an option has by default: with another the program stops."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Flat(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, 1)

    def forward(self, x):
        return self.layer(x)


class Deep(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x)


parser = argparse.ArgumentParser()
parser.add_argument("--net", type=str, default="Flat")
parser.add_argument("--loss", default="nn.MSELoss")
args = parser.parse_args()

torch.manual_seed(1)
model = eval(args.net)(2)
criterion = eval(args.loss)()
loader = DataLoader(TensorDataset(torch.randn(320, 2), torch.randn(320, 1)), batch_size=32, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
