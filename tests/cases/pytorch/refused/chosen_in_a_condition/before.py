"""Rows are drawn only where a process's own loss is low: not all processes would be there to be told."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
np.random.seed(0)
x = torch.randn(320, 64)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), labels)
        loss.backward()
        optimizer.step()
    if float(loss.detach().round()) < 1:
        rows = np.random.permutation(320)[:50]
        print(model(x[rows]).mean().item())
