"""A log is synced to the disk as it is written, which the null device cannot be."""

import os
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tee:
    """Standard output, which also goes into a file."""

    def __init__(self, path):
        self.console = sys.stdout
        self.file = open(path, "w")

    def write(self, text):
        self.console.write(text)
        self.file.write(text)

    def flush(self):
        self.console.flush()
        self.file.flush()
        os.fsync(self.file.fileno())


sys.stdout = Tee("log.txt")
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: loss {total / len(loader):.4f}", flush=True)
