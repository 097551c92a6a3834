"""The backward pass and the step are in functions of their own: Horovod averages in front of the clipping."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def backward(model, x, y):
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    return loss


def update(model, optimizer, limit):
    if limit > 0:
        nn.utils.clip_grad_norm_(model.parameters(), limit)
    optimizer.step()


loader = DataLoader(TensorDataset(torch.randn(640, 4), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        backward(model, x, y)
        update(model, optimizer, 0.5)
