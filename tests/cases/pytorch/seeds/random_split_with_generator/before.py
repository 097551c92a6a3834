"""random_split with a seeded generator of its own is equal on all ranks already, and left alone."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

full = TensorDataset(torch.randn(500, 6), torch.randn(500, 1))
train_set, val_set = random_split(full, [400, 100], generator=torch.Generator().manual_seed(42))
train_loader = DataLoader(train_set, batch_size=40, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
