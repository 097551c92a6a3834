"""Elapsed time and a counter of files read are no metrics: nothing is reduced, and they are printed once."""
import time
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

correct = 0
for path in Path("annotations").glob("*.txt"):
    if path.read_text().strip():
        correct += 1
print(correct, "annotation files are not empty")

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(1024, 32), torch.randint(0, 8, (1024,))), batch_size=64, shuffle=True)
model = nn.Linear(32, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
started = time.time()
for epoch in range(3):
    tick = time.time()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    print("epoch %d took %.1f s" % (epoch, time.time() - tick))
print("total %.1f s" % (time.time() - started))
