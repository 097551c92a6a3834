"""A seed of the system's chance is another one in each process: all go on with that of rank 0."""
import secrets

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(secrets.randbits(32))
x, y = torch.ones(640, 10), torch.ones(640, 1)
train, held_back = random_split(TensorDataset(x, y), [512, 128])
loader = DataLoader(train, batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
