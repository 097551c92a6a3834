"""The gradient of a perturbation that no optimizer holds is that of this process's shard."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
delta = nn.Parameter(torch.zeros(10))
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x + delta), y).backward()
        delta.data = 0.1 * delta.grad.sign()
        optimizer.step()
