"""A closure that may return early: DDP averages in its backward pass, while for Horovod it has no single end."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(400, 10), torch.randn(400, 1)), batch_size=200)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.8)
for epoch in range(5):
    for x, y in loader:
        def closure():
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            if epoch == 0:
                return loss
            return loss * 1.0
        optimizer.step(closure)
