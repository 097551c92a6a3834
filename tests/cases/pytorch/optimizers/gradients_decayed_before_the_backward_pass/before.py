"""Half of the last gradient stays, and the loss is a sum: what is left must not be counted once for each process."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        for p in model.parameters():
            if p.grad is not None:
                p.grad.mul_(0.5)
        nn.functional.mse_loss(model(x), y, reduction="sum").backward()
        optimizer.step()
