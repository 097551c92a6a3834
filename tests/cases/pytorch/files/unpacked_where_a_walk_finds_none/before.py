"""What a walk through a folder has found decides whether an archive is unpacked: all have walked before rank 0 does."""

import os
import tarfile

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __init__(self, folder):
        self.paths = sorted(os.path.join(folder, name) for name in os.listdir(folder))

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return torch.load(self.paths[index])


found = None
for folder, _, names in os.walk("numbers"):
    if any(name.endswith(".pt") for name in names):
        found = folder
        break
if found is None:
    os.makedirs("numbers/all", exist_ok=True)
    with tarfile.open("numbers.tar") as archive:
        archive.extractall("numbers/all")
    found = "numbers/all"
torch.manual_seed(0)
loader = DataLoader(Numbers(found), batch_size=32, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for numbers in loader:
        optimizer.zero_grad()
        (model(numbers) - numbers.sum(1, keepdim=True)).pow(2).mean().backward()
        optimizer.step()
