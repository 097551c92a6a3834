"""A library that is not installed where the script is compiled makes the data: that is all it is called for."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from mydata.reader import SpectraDataset

loader = DataLoader(SpectraDataset("spectra.bin"), batch_size=32, shuffle=True)
model = nn.Linear(128, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
