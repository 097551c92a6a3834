"""What the loop goes over is the loader, or a progress bar around it: a bar has no sampler."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
verbose = len(sys.argv) > 1
for epoch in range(3):
    batches = tqdm(loader) if verbose else loader
    total = 0.0
    for x, y in batches:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
        if verbose:
            batches.set_postfix(loss=loss.item())
            batches.write("a step")
    print(total / len(batches))
