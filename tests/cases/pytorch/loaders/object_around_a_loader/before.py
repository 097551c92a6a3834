"""An object prepares what a loader gives, and begins it by iter(): the loader is shared out like any other."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Prepared:
    def __init__(self, loader, prepare):
        self.loader = loader
        self.prepare = prepare

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        for batch in iter(self.loader):
            yield self.prepare(*batch)


def flat(x, y):
    return x.view(-1, 8), y


data = TensorDataset(torch.randn(64, 2, 4), torch.randint(0, 2, (64,)))
train_loader = Prepared(DataLoader(data, batch_size=8, shuffle=True), flat)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
