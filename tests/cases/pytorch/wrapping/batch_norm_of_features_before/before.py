"""Features are computed before, by some layers of a network of which others, with batch normalisation, are left out."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))

    def forward(self, x):
        return self.head(self.body(x))


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 4)

    def forward(self, x):
        return self.line(x)


torch.manual_seed(0)
network = Network()
encoder = nn.Sequential(*list(network.children())[:-1])
encoder.eval()
inputs = torch.randn(67, 8)
with torch.no_grad():
    features = encoder(inputs)
train_loader = DataLoader(TensorDataset(features, torch.randint(0, 4, (67,))), batch_size=16, shuffle=True)
classifier = Classifier()
optimizer = torch.optim.SGD(classifier.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(classifier(x), y).backward()
        optimizer.step()
