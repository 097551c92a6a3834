"""Batches that are taken by next() within a pass and trained on are no looks: each process takes its own."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
train_loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
unlabelled_loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
for epoch in range(2):
    unlabelled = iter(unlabelled_loader)
    for xb, yb in train_loader:
        extra, _ = next(unlabelled)
        opt.zero_grad()
        loss = crit(model(xb), yb) + model(extra).pow(2).mean()
        loss.backward()
        opt.step()
