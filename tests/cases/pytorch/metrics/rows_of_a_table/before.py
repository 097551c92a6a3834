"""Dicts in a list are not followed, so what is written of them is reviewed; an array of single numbers is made whole."""

import json

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.rand(256, 8), torch.randint(0, 4, (256,))), batch_size=32, shuffle=True)
model = nn.Linear(8, 4)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
rows = []

for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        rows.append({"epoch": epoch, "loss": loss.item()})

with open("rows.json", "w") as file:
    json.dump(rows, file)
print({"epoch": epoch, "loss": loss.item()})
np.save("losses.npy", np.array([row["loss"] for row in rows]))
