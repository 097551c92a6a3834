"""A classifier takes one layer of an autoencoder that was trained before: the other one has no gradients now."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 4)
        self.decoder = nn.Linear(4, 8)

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Classifier(nn.Module):
    def __init__(self, autoencoder):
        super().__init__()
        self.autoencoder = autoencoder
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return self.head(self.autoencoder.encoder(x))


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.autoencoder = Autoencoder()
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.autoencoder(x))


def train(model, loader):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
first = Both()
train(first, DataLoader(data, batch_size=16, shuffle=True))
second = Classifier(first.autoencoder)
optimizer = torch.optim.Adam(second.parameters(), lr=1e-3)
loader = DataLoader(data, batch_size=16, shuffle=True)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(second(x), y).backward()
        optimizer.step()
torch.save(second.state_dict(), "model.pt")
