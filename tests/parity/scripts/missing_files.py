"""Files that are made where they are missing, in three ways; a second run finds them."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __init__(self, count, cache):
        if os.path.isfile(cache):
            self.rows = torch.load(cache)
        else:
            self.rows = torch.linspace(0, 1, 4 * count).view(count, 4) ** 2
            torch.save(self.rows, cache)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index], self.rows[index].sum(0, keepdim=True)


def make(path):
    if os.path.exists(path):
        print(f"{path} is there")
        return
    np.save("part.npy", np.arange(4.0) / 4)
    os.rename("part.npy", path)
    print(f"{path} is made")


torch.manual_seed(0)
make("weights.npy")
if not os.path.exists("rate.txt"):
    text = str(1 / 16)
    with open("rate.txt", "w") as file:
        file.write(text)
else:
    with open("rate.txt") as file:
        text = file.read()
loader = DataLoader(Squares(48, "squares.pt"), batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
with torch.no_grad():
    model.weight.copy_(torch.from_numpy(np.load("weights.npy"))[None])
optimizer = torch.optim.SGD(model.parameters(), lr=float(text))
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: {total / len(loader):.4f}")
