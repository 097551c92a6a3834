"""Each step trains on one sample: there is nothing to share out."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def samples():
    for row in torch.randperm(len(x)):
        yield x[row], y[row]


for epoch in range(3):
    for features, label in samples():
        optimizer.zero_grad()
        loss = criterion(model(features.unsqueeze(0)), label.unsqueeze(0))
        loss.backward()
        optimizer.step()
