"""A package of the project is there, and one of its modules is not (compiled, or not in the repository)."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from pkg.boxes import overlaps
from pkg.sizes import WIDTH

loader = DataLoader(TensorDataset(torch.randn(64, WIDTH), torch.randn(64, 1)), batch_size=32, shuffle=True)
model = nn.Linear(WIDTH, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    print(overlaps(epoch))
