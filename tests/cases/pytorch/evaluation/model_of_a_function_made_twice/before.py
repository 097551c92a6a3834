"""A function makes two models, of which one is shown only: eval() turns off the dropout in the other."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build():
    return nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,))), batch_size=64, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,))), batch_size=50)
print(build())
model = build()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    held = 0.0
    with torch.no_grad():
        for x, y in held_out:
            held += nn.functional.cross_entropy(model(x), y, reduction="sum").item()
    print(epoch, held / 99)
