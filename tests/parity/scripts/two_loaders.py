"""Two domains: their loaders are gone over together, then one of them is taken from while the other leads."""

from itertools import cycle

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
digits = load_digits()
images = torch.tensor(digits.data, dtype=torch.float32) / 16
labels = torch.tensor(digits.target)
source_loader = DataLoader(TensorDataset(images[:384], labels[:384]), batch_size=32, shuffle=True)
target_loader = DataLoader(TensorDataset(1 - images[400:560]), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def consistency(x):
    return (model(x) - model(0.9 * x)).pow(2).mean()


for epoch in range(2):
    total = 0.0
    for (x, y), (other,) in zip(source_loader, cycle(target_loader)):
        loss = F.cross_entropy(model(x), y) + 0.1 * consistency(other)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: loss {total / len(source_loader):.4f}")
others = iter(target_loader)
for i, (x, y) in enumerate(source_loader):
    if i > 0 and i % len(target_loader) == 0:
        others = iter(target_loader)
    (other,) = next(others)
    loss = F.cross_entropy(model(x), y) + 0.1 * consistency(other)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
torch.save(model.state_dict(), "model.pt")
