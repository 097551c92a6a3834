"""Project modules in folders that the script, and a module of it, put on the path."""
import os
import sys

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

import _paths
from nets import Net

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))

import waves
from waves import noise

torch.manual_seed(1)
loader = DataLoader(waves.Waves(noise()), batch_size=32, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
