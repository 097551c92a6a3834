"""All wait once in front of a condition or a loop in which files are read, and again where one is written in between."""

import os
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
path = sys.argv[1]
model = nn.Linear(64, 2)
torch.save(model.state_dict(), "first.pt")
if os.path.exists(path):
    model.load_state_dict(torch.load(path))
for name in ("first.pt", path):
    if os.path.exists(name):
        print(name, torch.load(name)["bias"])
x = torch.randn(320, 64)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    for name in ("a.pt", "b.pt"):
        torch.save(model.state_dict(), name)
        saved = torch.load(name)
        print(saved["bias"])
