"""Of the lists that one is chosen of, one has a layer that compares samples: all that they hold is looked at."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, width), nn.ReLU())

    def forward(self, x):
        return self.net(x)


def narrow(**options):
    return Encoder(8, **options)


class Rivals(Encoder):
    def forward(self, x):
        return self.net(x).softmax(dim=0)


def wide(**options):
    return Rivals(32, **options)


KNOWN = {"narrow": [narrow, 8], "wide": [wide, 32]}


class Net(nn.Module):
    def __init__(self, name):
        super().__init__()
        make, width = KNOWN[name]
        self.encoder = make()
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        return self.head(self.encoder(x))


parser = argparse.ArgumentParser()
parser.add_argument("--model", default="narrow")
args = parser.parse_args()

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = Net(args.model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
