"""A text that is made where it is missing, and read where it is there."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


torch.manual_seed(0)
path = "numbers.txt"
if not os.path.exists(path):
    text = " ".join(str(number % 7) for number in range(160))
    with open(path, "w") as file:
        file.write(text)
else:
    with open(path) as file:
        text = file.read()
features = torch.tensor([float(word) for word in text.split()]).view(40, 4) / 7
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

