"""One of two losses ignores a class, the other one ignores none: what to divide by cannot be written for both."""

import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class Padded(nn.Module):
    def __init__(self, ignored):
        super().__init__()
        self.entropy = nn.CrossEntropyLoss(ignore_index=ignored)

    def forward(self, outputs, labels):
        return self.entropy(outputs, labels)


class Plain(nn.modules.loss._WeightedLoss):
    def __init__(self, weight=None):
        super().__init__(weight)
        self.entropy = nn.CrossEntropyLoss()

    def forward(self, outputs, labels):
        return self.entropy(outputs, labels)


parser = argparse.ArgumentParser()
parser.add_argument("--plain", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
inputs = torch.rand(64, 3)
loader = DataLoader(TensorDataset(inputs, (inputs[:, 0] > 0.5).long()), batch_size=8, shuffle=True)
model = nn.Linear(3, 2)
criterion = Plain() if args.plain else Padded(255)
optimizer = optim.SGD(model.parameters(), lr=0.1)
for features, labels in loader:
    optimizer.zero_grad()
    loss = criterion(model(features), labels)
    loss.backward()
    optimizer.step()
