"""Model, loader and optimizer are made anew in each fold of a cross-validation."""
import numpy as np
import torch
import torch.nn as nn
from sklearn.model_selection import KFold
from torch.utils.data import DataLoader, Subset, TensorDataset

data = TensorDataset(torch.randn(500, 10), torch.randint(0, 2, (500,)))
scores = []
for fold, (train_idx, val_idx) in enumerate(KFold(n_splits=5, shuffle=True, random_state=0).split(np.arange(500))):
    train_dl = DataLoader(Subset(data, train_idx), batch_size=20, shuffle=True)
    val_dl = DataLoader(Subset(data, val_idx), batch_size=20)
    model = nn.Linear(10, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in train_dl:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in val_dl:
            hits += (model(x).argmax(1) == y).sum().item()
    scores.append(hits / len(val_idx))
print(np.mean(scores))
