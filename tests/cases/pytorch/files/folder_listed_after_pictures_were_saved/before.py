"""Pictures are drawn into a folder by rank 0, and a data set lists them by the methods of its path."""
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def draw(folder, n):
    for i in range(n):
        plt.figure()
        plt.plot([0, i], [i, 0])
        plt.savefig(f"{folder}/curve_{i}.png", dpi=20)
        plt.close()


class Curves(Dataset):
    def __init__(self, folder):
        self.pictures = [each for each in sorted(Path(folder).iterdir()) if each.suffix == ".png"]

    def __getitem__(self, index):
        picture = torch.from_numpy(plt.imread(self.pictures[index]))
        return picture.mean(dim=(0, 1)), index % 3

    def __len__(self):
        return len(self.pictures)


torch.manual_seed(0)
draw("curves", 24)
loader = DataLoader(Curves("curves"), batch_size=8, shuffle=True)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
