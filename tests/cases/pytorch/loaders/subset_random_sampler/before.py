"""SubsetRandomSampler splits training and validation over one data set."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.sampler import SubsetRandomSampler

data = TensorDataset(torch.randn(1000, 10), torch.randint(0, 2, (1000,)))
indices = list(range(len(data)))
np.random.seed(0)
np.random.shuffle(indices)
train_sampler = SubsetRandomSampler(indices[200:])
valid_sampler = SubsetRandomSampler(indices[:200])
train_loader = DataLoader(data, batch_size=20, sampler=train_sampler)
valid_loader = DataLoader(data, batch_size=20, sampler=valid_sampler)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in valid_loader:
            hits += (model(x).argmax(1) == y).sum().item()
    print(epoch, hits / len(valid_sampler))
