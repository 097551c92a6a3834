"""Targets with as many rows as a batch are made in front of the loop, their shape is a list."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
size = 12
judge = nn.Linear(5, 1)
optimizer = torch.optim.SGD(judge.parameters(), lr=0.05)
loader = DataLoader(TensorDataset(torch.randn(48, 5)), batch_size=size, shuffle=True, drop_last=True)
real = torch.ones([size, 1])
for epoch in range(2):
    for (x,) in loader:
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(judge(x), real)
        loss.backward()
        optimizer.step()
