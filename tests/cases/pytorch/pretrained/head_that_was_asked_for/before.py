"""A part of a library's model is replaced after it was asked for its size: the forward pass uses what replaces it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision import models

data = TensorDataset(torch.randn(64, 3, 32, 32), torch.randint(0, 10, (64,)))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = models.resnet18()
model.layer4 = nn.Sequential(model.layer4, nn.Dropout(0.2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
