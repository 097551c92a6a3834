"""A step is made by chance, which is another on each process."""
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        nn.functional.mse_loss(model(x), y).backward()
        if random.random() < 0.25:
            optimizer.step()
            optimizer.zero_grad()
