"""The number of samples of a process is written into a tensor: that needs shares of equal size."""

import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
batch_size = 15
loader = DataLoader(torch.randn(60, 8), batch_size=batch_size, shuffle=True, drop_last=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.BCEWithLogitsLoss()
for epoch in range(2):
    for x in loader:
        optimizer.zero_grad()
        noise = torch.rand(batch_size, 1)
        criterion(model(x), noise.round()).backward()
        optimizer.step()
