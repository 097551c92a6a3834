"""A network without batch normalisation is given a head of its own class, which may have it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision import models

model = models.vgg11(weights=None, num_classes=4)


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(4096, 4)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(self.line(x))


model.classifier[6] = Head()
train_set = TensorDataset(torch.randn(67, 3, 64, 64), torch.randint(0, 4, (67,)))
loader = DataLoader(train_set, batch_size=16, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
