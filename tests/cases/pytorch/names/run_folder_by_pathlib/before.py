"""The folder of a run is put together by pathlib of the time and a name, and may be there already: rank 0 tells the time."""

from datetime import datetime
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def keep(path, weights):
    path.parent.mkdir(exist_ok=True)
    torch.save(weights, path)


torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
started = datetime.now().strftime("%Y%m%d_%H%M%S_%f")
folder = Path("runs") / f"linear_{started}"
folder.mkdir(parents=True, exist_ok=True)
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    keep(folder / "weights" / f"{epoch}.pt", model.state_dict())
