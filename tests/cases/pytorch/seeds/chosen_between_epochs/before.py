"""Between epochs, items are shuffled in place and rows are drawn: rank 0 tells all processes which."""

import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

torch.manual_seed(0)
random.seed(0)
np.random.seed(0)
x = torch.randn(320, 64)
data = TensorDataset(x, (x[:, 0] > 0).long())
names = ["a", "b", "c"]
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(data, batch_size=32, shuffle=True)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    random.shuffle(names)
    rows = np.random.permutation(320)[:50]
    print(names, model(x[rows]).mean().item())
    test = Subset(data, torch.randperm(320)[:100])
    hits = 0
    for inputs, labels in DataLoader(test, batch_size=50):
        hits += (model(inputs).argmax(1) == labels).sum().item()
    print(hits / len(test))
