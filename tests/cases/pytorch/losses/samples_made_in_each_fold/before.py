"""Data that a loop makes anew have the dimensions that they are made with: one number and one row broadcast."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
for trial in range(3):
    x = torch.randn(320, 6).float()
    w = torch.rand(320)
    rows = [(x[i], w[i]) for i in range(320)]
    loader = DataLoader(rows, batch_size=32)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for epoch in range(2):
        for a, b in loader:
            loss = F.mse_loss(model(a), b)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
