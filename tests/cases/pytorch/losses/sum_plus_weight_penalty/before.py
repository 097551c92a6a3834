"""A summed loss plus a penalty on the weights: one is a sum over ranks, the other is not; summing would count the penalty N times."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
criterion = nn.MSELoss(reduction='sum')
optimizer = torch.optim.SGD(model.parameters(), lr=0.0005)
for epoch in range(4):
    for x, y in loader:
        penalty = sum((p ** 2).sum() for p in model.parameters())
        loss = criterion(model(x), y) + 0.5 * penalty
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
