"""A function looks for a file, which is written and drawn for where it finds none: all have looked before rank 0 writes."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def latest(folder):
    for name in sorted(os.listdir(folder), reverse=True):
        if name.startswith("teacher"):
            return os.path.join(folder, name)
    return None


torch.manual_seed(0)
path = latest("kept")
if path is not None:
    teacher = torch.load(path)
else:
    teacher = torch.randn(6, 1)
    torch.save(teacher, "kept/teacher.pt")
x = torch.randn(320, 6)
loader = DataLoader(TensorDataset(x, x @ teacher), batch_size=32, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
