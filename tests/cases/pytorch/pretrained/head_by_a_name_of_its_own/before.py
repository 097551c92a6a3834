"""A library's model is given a layer by a name that the library does not know, so the forward pass leaves it out."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision import models

data = TensorDataset(torch.randn(64, 3, 32, 32), torch.randint(0, 10, (64,)))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = models.resnet18()
model.out_head = nn.Linear(512, 10)
for parameter in model.out_head.parameters():
    parameter.requires_grad = True
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
