"""Random features that a model keeps as plain attributes are not sent around with its weights: a seed is shared."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.directions = torch.randn(8, 8)
        self.order = torch.randperm(8)
        self.shift = random.random()
        self.hidden = nn.Linear(8, 16)
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        return self.out(F.relu(self.hidden(torch.sin(x[:, self.order] @ self.directions + self.shift))))


loader = DataLoader(TensorDataset(torch.load("x.pt"), torch.load("y.pt")), batch_size=64, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
