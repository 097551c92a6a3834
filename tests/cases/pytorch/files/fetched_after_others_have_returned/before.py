"""A function returns where a folder has pictures, else fetches them: all have looked before rank 0 does."""

import urllib.request
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

FOLDER = Path("numbers")


class Numbers(Dataset):
    def __init__(self):
        self.paths = sorted(FOLDER.glob("*.pt"))

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return torch.load(self.paths[index])


def prepare():
    if len(list(FOLDER.glob("*.pt"))) >= 100:
        return
    for number in range(100):
        urllib.request.urlretrieve(f"https://example.org/{number}.pt", f"numbers/{number}.pt")


prepare()
torch.manual_seed(0)
loader = DataLoader(Numbers(), batch_size=32, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for numbers in loader:
        optimizer.zero_grad()
        (model(numbers) - numbers.sum(1, keepdim=True)).pow(2).mean().backward()
        optimizer.step()
