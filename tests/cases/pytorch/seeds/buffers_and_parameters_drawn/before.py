"""Buffers and parameters that are drawn get rank 0's numbers with the weights: no seed is shared."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("directions", torch.randn(8, 8))
        start = torch.rand(8)
        self.shift = nn.Parameter(start * 0.1)
        self.hidden = nn.Linear(8, 16)
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        return self.out(F.relu(self.hidden(torch.sin(x @ self.directions + self.shift))))


loader = DataLoader(TensorDataset(torch.load("x.pt"), torch.load("y.pt")), batch_size=64, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
