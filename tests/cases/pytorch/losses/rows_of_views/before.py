"""Views, or frames, of a sample are rows for the model, and come back to their sample."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.from_numpy(np.load("frames.npy"))), batch_size=32, shuffle=True)
frames = 2
model = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 16))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(3):
    for (inputs,) in loader:
        optimizer.zero_grad()
        rows = model(inputs.view(-1, 20))
        pairs = rows.view(-1, frames, 16)
        again = rows.view(rows.size(0) // frames, frames, -1)
        maps = inputs.view(-1, 4, 5).mean(2)
        maps = maps.view(maps.size(0) // frames, -1)
        both = model(torch.cat([inputs[:, 0], inputs[:, 1]])).view(2, -1, 16)
        loss = ((pairs[:, 0] - again[:, 1]) ** 2).mean() + (both[0] ** 2).mean() + (maps ** 2).mean()
        loss.backward()
        optimizer.step()
