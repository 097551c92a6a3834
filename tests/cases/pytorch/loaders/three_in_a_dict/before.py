"""Loaders of one dict, two of them dealt out by whole batches: each has its own batches."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
full = TensorDataset(torch.randn(600, 8), torch.randint(0, 4, (600,)))
train, val, test = random_split(full, [440, 100, 60])
loaders = {"train": DataLoader(train, 40, shuffle=True), "val": DataLoader(val, 32), "test": DataLoader(test, 32)}


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss = 0.0
    for x, y in loader:
        loss += F.cross_entropy(model(x), y).item()
    return loss / len(loader)


model = nn.Linear(8, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
train_loader = loaders["train"]
for epoch in range(3):
    model.train()
    for x, y in train_loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, evaluate(model, loaders["val"]))
print(evaluate(model, loaders["test"]))
