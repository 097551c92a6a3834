"""A data set loads further rows before each epoch: a sampler that was made before does not know of them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Rollouts(Dataset):
    def __init__(self):
        self.rows = []
        self.seen = {}

    def load(self, name):
        self.rows += torch.load(name)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        self.seen[index] = True
        return self.rows[index][:6], self.rows[index][6:]


torch.manual_seed(0)
rollouts = Rollouts()
rollouts.load("0.pt")
loader = DataLoader(rollouts, batch_size=8, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    rollouts.load(f"{epoch}.pt")
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
