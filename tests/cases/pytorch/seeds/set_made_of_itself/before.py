"""A function that a parser calls adds to a set by making it anew of itself: its order is another one in each process."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def described(option):
    words = {"a", "b"}
    words = words | set(option)
    return [word for word in words]


parser = argparse.ArgumentParser()
parser.add_argument("--words", type=described, default="a")
args = parser.parse_args()
print(len(args.words))
torch.manual_seed(0)
features = torch.randn(64, 4)
loader = DataLoader(TensorDataset(features, (features[:, 0] > 0).long()), batch_size=16, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
