"""A package models/ whose __init__ imports its members by star, as in the CIFAR repositories."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

from models import *
from utils import seed_all, count_parameters

seed_all(3)
net = SmallNet()
print(count_parameters(net), "parameters")
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
optimizer = optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
