"""One of the layers that are given as pairs of a name and a layer is none that is known to keep samples apart."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, activation):
        super().__init__()
        self.activation = activation
        self.last = nn.Linear(4, 1)
        self.activations = nn.ModuleDict([["relu", nn.ReLU()], ["shares", nn.Softmax(dim=0)]])

    def forward(self, x):
        return self.last(self.activations[self.activation](x))


loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8, shuffle=True)
model = Net(sys.argv[1])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
