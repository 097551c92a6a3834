"""Shares of a batch that a sampler of the script makes may differ in size; none is filled up."""

import torch
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(90, 8), torch.randn(90, 1))
loader = DataLoader(data, batch_sampler=BatchSampler(RandomSampler(data), 25, drop_last=True))
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
torch.save(model.state_dict(), "model.pt")
