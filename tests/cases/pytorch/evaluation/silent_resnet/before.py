"""A network without dropout is evaluated in training mode on all data: no noise is drawn."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision import models

model = models.resnet18(weights=None, num_classes=4)
loader = DataLoader(TensorDataset(torch.randn(64, 3, 64, 64), torch.randint(0, 4, (64,))), batch_size=16, shuffle=True)
test_loader = DataLoader(TensorDataset(torch.randn(30, 3, 64, 64), torch.randint(0, 4, (30,))), batch_size=16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in test_loader:
            hits += (model(x).argmax(1) == y).sum().item()
    print(hits / 30)
