"""The data set augments with NumPy and random: noise, which must not be equal on all ranks."""
import random
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

np.random.seed(0)
random.seed(0)
torch.manual_seed(0)


class Waves(Dataset):
    def __init__(self, n):
        self.phase = np.linspace(0, 6.28, n)

    def __len__(self):
        return len(self.phase)

    def __getitem__(self, i):
        t = np.arange(32)
        wave = np.sin(0.2 * t + self.phase[i]) + np.random.normal(scale=0.1, size=32)
        if random.random() < 0.5:
            wave = wave[::-1].copy()
        return torch.from_numpy(wave).float(), torch.tensor([self.phase[i]]).float()


loader = DataLoader(Waves(800), batch_size=40, shuffle=True)
model = nn.Linear(32, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
