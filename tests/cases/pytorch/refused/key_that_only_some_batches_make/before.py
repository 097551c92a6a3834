"""Under a key of a defaultdict only some batches add something: it may not be there, and a sum would make it."""
from collections import defaultdict

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(64, 4), torch.randn(64, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    stats = defaultdict(float)
    for step, (a, b) in enumerate(loader):
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step > epoch + 7:
            stats["loss"] += loss.item() * len(a)
    print(dict(stats))
