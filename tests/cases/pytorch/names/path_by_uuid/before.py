"""A path with a random name is made by pathlib, and the folder by all processes: rank 0 tells the path."""

import uuid
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

run = Path("out") / uuid.uuid4().hex
run.mkdir(parents=True, exist_ok=True)
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
        torch.save(model.state_dict(), run / "best.pt")
model.load_state_dict(torch.load(run / "best.pt"))
print("reloaded", round(best, 3), model.weight.sum().item())
