"""Items of a dict that differ between processes: by what is put in, under any key, or by a call of a library."""

import heapq

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,))), batch_size=64, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
curves = {"hits": [], "largest": []}
named = {"hits": [], "largest": []}
updated = {"hits": 0, "largest": 0}
pushed = {"hits": [], "largest": []}
for epoch in range(3):
    hits, largest = 0, 0.0
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        hits += (output.argmax(1) == y).sum().item()
        largest = max(largest, loss.item())
    curves["hits"].append(hits)
    curves["largest"].append(largest)
    for name, number in zip(named, (hits, largest)):
        named[name] = [*named[name], number]
    updated.update([("hits", hits), ("largest", largest)][: epoch + 1])
    heapq.heappush(pushed["largest"], largest)
print(curves["hits"])
print(curves["largest"])
print(named["hits"])
print(updated["hits"])
print(pushed["hits"])
print(pushed["largest"])
