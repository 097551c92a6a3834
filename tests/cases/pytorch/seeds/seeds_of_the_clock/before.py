"""Seeds that are the time, or the process id, are another one in each process: all go on as rank 0 does."""
import os
import random
import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(int(time.time()))
np.random.seed(os.getpid())
random.seed()
x = torch.from_numpy(np.random.rand(128, 4)).float()
y = x.sum(1, keepdim=True) * random.choice([1, 2])
train, held_out = random_split(TensorDataset(x, y), [96, 32])
loader = DataLoader(train, batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
