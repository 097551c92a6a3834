"""A layer that a model of a library is given, and that the script calls by itself, takes part in each step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision import models

data = TensorDataset(torch.randn(64, 3, 32, 32), torch.randint(0, 10, (64,)))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = models.resnet18()
model.out_head = nn.Linear(1000, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model.out_head(model(images)), labels)
        loss.backward()
        optimizer.step()
