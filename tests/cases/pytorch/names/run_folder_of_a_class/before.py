"""A class of settings makes up a name where it is defined, which rank 0 tells before."""

import os
import uuid

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Config:
    name = "r" + uuid.uuid4().hex
    out = os.path.join("runs", name)


os.makedirs(Config.out)
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
        torch.save(model.state_dict(), Config.out + "/best.pt")
model.load_state_dict(torch.load(Config.out + "/best.pt"))
print("reloaded", round(best, 3), model.weight.sum().item())
