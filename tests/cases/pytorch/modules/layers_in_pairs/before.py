"""Layers are given to a dict of modules as pairs of a name and a layer."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, activation="relu"):
        super().__init__()
        self.activation = activation
        self.first = nn.Linear(4, 8)
        self.last = nn.Linear(8, 1)
        self.activations = nn.ModuleDict([["relu", nn.ReLU()], ("tanh", nn.Tanh())])

    def forward(self, x):
        return self.last(self.activations[self.activation](self.first(x)))


loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
