"""match, walrus, parenthesised with and positional-only parameters around the training."""
import sys

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

match sys.argv[1:]:
    case ["small"]:
        width = 4
    case _:
        width = 16


def step(model, optimizer, x, y, /, *, clip=None):
    optimizer.zero_grad()
    (loss := nn.functional.mse_loss(model(x), y)).backward()
    optimizer.step()
    return loss


loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Linear(width, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        step(model, optimizer, x, y)
with (
    torch.no_grad(),
    open("prediction.txt", "w") as f,
):
    f.write(str(model(torch.zeros(1, 10)).item()))
