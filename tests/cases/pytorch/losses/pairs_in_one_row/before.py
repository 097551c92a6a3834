"""Two samples that stand one behind another are taken for a pair."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.from_numpy(np.load("x.npy"))), batch_size=32)
width = 16
model = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, width))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(3):
    for (inputs,) in loader:
        optimizer.zero_grad()
        pairs = model(inputs).view(-1, 2, width)
        loss = ((pairs[:, 0] - pairs[:, 1]) ** 2).mean()
        loss.backward()
        optimizer.step()
