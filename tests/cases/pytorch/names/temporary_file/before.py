"""A temporary file belongs to its process, which cannot tell it: refused."""

import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

f = tempfile.NamedTemporaryFile(suffix=".pt")
path = f.name
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
        torch.save(model.state_dict(), path)
model.load_state_dict(torch.load(path))
print("reloaded", round(best, 3), model.weight.sum().item())
