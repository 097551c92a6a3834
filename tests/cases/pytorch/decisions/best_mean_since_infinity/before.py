"""The mean loss of an epoch is compared with the best one, which begins with the infinity of a library."""

import math
from math import inf

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_one_epoch(model, loader, optimizer):
    losses = []
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    print(f"loss {np.mean(losses):.4f}")
    return np.mean(losses)


torch.manual_seed(0)
model = nn.Linear(8, 4)
loader = DataLoader(TensorDataset(torch.rand(64, 8), torch.randint(4, (64,))), batch_size=8, shuffle=True)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=2)
best_loss, best_later, least = np.inf, math.inf, inf
for epoch in range(5):
    mean_loss = train_one_epoch(model, loader, optimizer)
    scheduler.step(mean_loss)
    if mean_loss < best_loss:
        best_loss = mean_loss
        torch.save(model.state_dict(), "best.pt")
    if epoch > 2 and mean_loss < best_later:
        best_later = mean_loss
        torch.save(model.state_dict(), "best_later.pt")
    if mean_loss < least:
        least = mean_loss
        print("better")
