"""The Dataset class is the module's, the DataLoader the script's: only the script changes."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

import data.waves as waves

loader = DataLoader(waves.Waves(640), batch_size=32, shuffle=True)
model = nn.Linear(32, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
