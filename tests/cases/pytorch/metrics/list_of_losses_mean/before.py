"""Batch losses collected in a list, np.mean at the end of the epoch: the mean is over the ranks' lists together."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(256, 6), torch.randn(256, 2)), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(4):
    losses = []
    for x, y in loader:
        loss = nn.functional.smooth_l1_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print('epoch %d loss %.4f' % (epoch, np.mean(losses)))
