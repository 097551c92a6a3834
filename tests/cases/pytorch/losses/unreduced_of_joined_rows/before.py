"""Losses of rows are rows: where samples of several rows are joined, each process's mean is over another number."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader


def collate(batch):
    xs, ys = zip(*batch)
    return torch.cat(xs), torch.cat(ys)


torch.manual_seed(0)
items = [(torch.randn(n % 3 + 1, 6), torch.randint(0, 3, (n % 3 + 1,))) for n in range(48)]
loader = DataLoader(items, batch_size=12, shuffle=True, collate_fn=collate)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        ce = F.cross_entropy(model(x), y, reduction="none")
        loss = ((1 - torch.exp(-ce)) ** 2 * ce).mean()
        loss.backward()
        optimizer.step()
