"""Loaders that are added to a list on conditions, and a trainer that would go over one without end, given a number."""
import json
from itertools import repeat

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def forward(self, x):
        raise NotImplementedError


class Narrow(Net):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(64, 10)

    def forward(self, x):
        return self.layer(x)


class Wide(Net):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(64, 32), nn.Linear(32, 10)

    def forward(self, x):
        return self.second(self.first(x).relu())


def loaders(batch_size, train=True, val=True):
    x, y = load_digits(return_X_y=True)
    data = torch.tensor(x, dtype=torch.float32) / 16, torch.tensor(y)
    found = []
    if train:
        found.append(DataLoader(TensorDataset(*(part[:480] for part in data)), batch_size=batch_size, shuffle=True))
    if val:
        found.append(DataLoader(TensorDataset(*(part[480:781] for part in data)), batch_size=100))
    return found[0] if len(found) == 1 else found


def endless(loader):
    for each in repeat(loader):
        yield from each


class Trainer:
    def __init__(self, model, loader, test_loader, steps=None):
        self.model, self.test_loader = model, test_loader
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.criterion = nn.CrossEntropyLoss()
        if steps is None:
            self.loader = loader
        else:
            self.loader = endless(loader)

    def train(self, epochs):
        for epoch in range(epochs):
            for x, y in self.loader:
                loss = self.criterion(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            correct = 0
            with torch.no_grad():
                for x, y in self.test_loader:
                    correct += (self.model(x).argmax(1) == y).sum().item()
            print(f"epoch {epoch} accuracy {correct / len(self.test_loader.dataset):.4f}")


torch.manual_seed(0)
model = {"net": Net, "narrow": Narrow, "wide": Wide}[json.loads('{"net": "wide"}')["net"]]()
train_loader, test_loader = loaders(batch_size=48)
Trainer(model, train_loader, test_loader).train(epochs=2)
torch.save(model.state_dict(), "net.pth")
