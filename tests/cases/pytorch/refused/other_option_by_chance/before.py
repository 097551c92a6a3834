"""Both arms call the model once, but with another option, by which other layers are used."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(3, 3), nn.Linear(3, 3)

    def forward(self, x, *, turned):
        return self.right(x) if turned else self.left(x)


loader = DataLoader(TensorDataset(torch.randn(640, 3), torch.randn(640, 3)), batch_size=32, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(2):
    for x, y in loader:
        if random.random() < 0.5:
            loss = criterion(model(x.flip(-1), turned=True), y)
        else:
            loss = criterion(model(x, turned=False), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
