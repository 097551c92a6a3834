"""Layers with batch normalisation are collected in a list: without eval(), an evaluation goes over whole batches."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_layers(widths, batch_norm=False):
    layers = []
    last = 10
    for v in widths:
        layers += [nn.Linear(last, v), nn.BatchNorm1d(v), nn.ReLU()]
        last = v
    return nn.Sequential(*layers)


class Net(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.features = features
        self.classifier = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 3))

    def forward(self, x):
        return self.classifier(self.features(x))


torch.manual_seed(0)
x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
trainloader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
testloader = DataLoader(TensorDataset(x, y), batch_size=4)
net = Net(make_layers([16, 8], True))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in trainloader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(a), b)
        loss.backward()
        optimizer.step()
correct = 0
total = 0
with torch.no_grad():
    for a, b in testloader:
        _, predicted = torch.max(net(a), 1)
        total += b.size(0)
        correct += (predicted == b).sum().item()
print("%.6f" % (correct / total))
