"""Distances of all samples of a batch to all others, by two views of the same tensor."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.rand(256, 8)), batch_size=32, shuffle=True)
model = nn.Linear(8, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(3):
    for (inputs,) in loader:
        codes = model(inputs)
        loss = (codes.unsqueeze(0) - codes.unsqueeze(1)).pow(2).mean() + (codes[None] - codes[:, None]).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
