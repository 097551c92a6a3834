"""Whether the file is made is told by what the function returns, and the file is asked for by another spelling."""
from pathlib import Path
import numpy as np, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)


def make(name):
    path = Path(name)
    if path.exists():
        return name
    np.save(name, np.sin(np.arange(192.0)).reshape(64, 3))
    return None


found = make("rows.npy")
x = torch.tensor(np.load("rows.npy"), dtype=torch.float32) * (2.0 if found else 1.0)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
