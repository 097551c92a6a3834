"""The folder of a run is put together by pathlib of the time and is a new one: rank 0 alone makes it, by its own name."""

import time
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
folder = Path("runs") / f"linear_{time.time_ns()}"
folder.mkdir(parents=True)
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
torch.save(model.state_dict(), folder / "weights.pt")
