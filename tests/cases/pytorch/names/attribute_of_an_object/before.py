"""An object makes up its folder in its constructor, and paths in a method: rank 0 tells the folder."""

import os
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Run:
    def __init__(self, base):
        self.dir = os.path.join(base, str(time.time_ns()))
        os.makedirs(self.dir)

    def path(self, name):
        return os.path.join(self.dir, name)


run = Run("runs")
torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
best = 1e9
for epoch in range(2):
    total = 0.0
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    if total < best:
        best = total
        torch.save(model.state_dict(), run.path("best.pt"))
model.load_state_dict(torch.load(run.path("best.pt")))
print("reloaded", round(best, 3), model.weight.sum().item())
