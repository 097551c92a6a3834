"""The step calls net.forward(x): the forward method of the wrapper does the same, and synchronises."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(300, 6), torch.randn(300, 1)), batch_size=30, shuffle=True)
net = nn.Linear(6, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        out = net.forward(x)
        nn.functional.mse_loss(out, y).backward()
        optimizer.step()
