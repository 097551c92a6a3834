"""A seed from the clock differs between processes: all go on with that of rank 0."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import time, os
torch.manual_seed(int(time.time()))
full = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
tr, va = random_split(full, [256, 64])
loader = DataLoader(tr, batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
