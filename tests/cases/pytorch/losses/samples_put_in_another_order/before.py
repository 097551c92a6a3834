"""Samples that are put together in another order, by their places, meet others of their batch: the whole is needed."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 4)), batch_size=32, shuffle=True)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    for (x,) in loader:
        turned = torch.cat([x[8:], x[:8]])
        loss = F.mse_loss(model(x), turned)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
