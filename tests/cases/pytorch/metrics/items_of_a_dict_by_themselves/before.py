"""Of what a dict holds, one list is reduced where it is shown, and the others are equal: nothing is said of these."""

import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,))), batch_size=64, shuffle=True)
kept = DataLoader(TensorDataset(torch.randn(200, 10), torch.randint(0, 3, (200,))), batch_size=50)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()


def measure():
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in kept:
            losses.append(criterion(model(x), y).item())
    model.train()
    return losses[-1]


curves = {"loss": [], "hits": [], "seconds": [], "kept": []}
for _ in range(3):
    start, hits, seen, losses = time.time(), 0, 0, []
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        hits += (output.argmax(1) == y).sum().item()
        seen += len(y)
    curves["loss"].append(sum(losses) / len(losses))
    curves["hits"].append(hits / seen)
    curves["seconds"].append(time.time() - start)
    curves["kept"].append(measure())
print("loss", curves["loss"])
print("hits", curves["hits"], curves["hits"][-1])
print("seconds for an epoch", np.mean(curves["seconds"]))
print("kept", min(curves["kept"]))
