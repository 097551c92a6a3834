"""Gradients are accumulated over batches: DDP adds up averages, Horovod would have to be told how many."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

accumulation_steps = 4
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=16, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y) / accumulation_steps
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
