"""A mean loss plus an L1 penalty on the weights: the penalty is equal on all ranks and averages to itself."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(4):
    for x, y in loader:
        l1 = sum(p.abs().sum() for p in model.parameters())
        loss = criterion(model(x), y) + 1e-4 * l1
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
