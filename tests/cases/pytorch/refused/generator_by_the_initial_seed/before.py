"""A generator of NumPy takes the seed that PyTorch took by chance."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

rng = np.random.default_rng(torch.initial_seed())
data = TensorDataset(torch.tensor(rng.normal(size=(512, 20))).float(), torch.ones(512).long())
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
