"""Mixup: a permutation of the batch takes other samples than one of a shard does."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 16), torch.randint(0, 4, (64,))), batch_size=16, shuffle=True)
model = nn.Linear(16, 4)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        index = torch.randperm(x.size(0))
        out = model(0.7 * x + 0.3 * x[index])
        loss = 0.7 * criterion(out, y) + 0.3 * criterion(out, y[index])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
