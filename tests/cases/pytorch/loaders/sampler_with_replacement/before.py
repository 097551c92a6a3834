"""RandomSampler with replacement and a number of samples of its own is no shuffling."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

data = TensorDataset(torch.randn(1000, 10), torch.randn(1000, 1))
loader = DataLoader(data, batch_size=50, sampler=RandomSampler(data, replacement=True, num_samples=500))
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
