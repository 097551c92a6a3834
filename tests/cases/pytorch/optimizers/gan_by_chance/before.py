"""Whether a second model is used for a batch is decided by chance: only some processes would have its gradients."""
import random
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
first, second = nn.Linear(10, 1), nn.Linear(10, 1)
criterion = nn.MSELoss()
optimizer_1 = torch.optim.SGD(first.parameters(), lr=0.01)
optimizer_2 = torch.optim.SGD(second.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer_1.zero_grad()
        optimizer_2.zero_grad()
        out = first(x) if random.random() < 0.5 else second(x)
        criterion(out, y).backward()
        optimizer_1.step()
        optimizer_2.step()
