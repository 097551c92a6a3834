"""Weak scaling: the evaluation's batch size is kept as well, and its metric is as exact as before."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

train_dl = DataLoader(TensorDataset(torch.randn(3200, 10), torch.randint(0, 2, (3200,))), batch_size=32, shuffle=True)
test_dl = DataLoader(TensorDataset(torch.randn(333, 10), torch.randint(0, 2, (333,))), batch_size=32)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(5):
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in test_dl:
            hits += (model(x).argmax(1) == y).sum().item()
    print(epoch, hits / len(test_dl.dataset))
