"""Gradients of a summed loss that are not set to zero in each step are averaged by hand: they are equal already."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(256, 8), torch.randint(0, 3, (256,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001, momentum=0.9)
for epoch in range(2):
    for number, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y, reduction="sum")
        if number % 2 == 0:
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()
