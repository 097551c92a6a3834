"""A loop that prepares the data draws from each folder: all processes draw the same, and list the same files."""
import os
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


def read_split(root, rate=0.2):
    train, held = [], []
    for folder in sorted(os.listdir(root)):
        files = [os.path.join(root, folder, name) for name in os.listdir(os.path.join(root, folder))]
        files.sort()
        chosen = random.sample(files, k=int(len(files) * rate))
        for file in files:
            if file in chosen:
                held.append(file)
            else:
                train.append(file)
    print(len(train), "for training")
    return train, held


class Files(Dataset):
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return torch.load(self.files[i])


train_files, held_files = read_split("data")
loader = DataLoader(Files(train_files), batch_size=8, shuffle=True)
held_loader = DataLoader(Files(held_files), batch_size=8)
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in held_loader:
            total += nn.functional.mse_loss(model(x), y, reduction="sum").item()
            count += len(x)
    print(epoch, total / count)
