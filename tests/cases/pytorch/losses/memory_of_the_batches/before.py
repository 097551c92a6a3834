"""A running mean of the inputs is carried from batch to batch and enters the loss: each rank would keep another."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
memory = torch.zeros(10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        memory = 0.99 * memory + 0.01 * x.mean(0)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x - memory), y).backward()
        optimizer.step()
