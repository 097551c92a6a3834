"""A data set keeps what it has computed, and reads it the next time."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


class Squares(Dataset):
    def __init__(self, count, cache):
        if os.path.isfile(cache):
            self.rows = torch.load(cache)
        else:
            self.rows = torch.stack([torch.linspace(0, 1, 4) * number for number in range(count)]) / count
            torch.save(self.rows, cache)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


torch.manual_seed(0)
squares = Squares(40, "squares.pt")
features = torch.stack([squares[number] for number in range(len(squares))])
loader = DataLoader(TensorDataset(features, features.sum(1, keepdim=True)), batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: {total / len(loader):.4f}")

