"""Networks of a library are told apart by their names: this one has no batch normalisation."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision import models

model = models.vgg11(weights=None, num_classes=4)
train_set = TensorDataset(torch.randn(67, 3, 64, 64), torch.randint(0, 4, (67,)))
loader = DataLoader(train_set, batch_size=16, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
