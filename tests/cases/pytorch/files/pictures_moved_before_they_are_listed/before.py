"""Rank 0 moves pictures into a folder, which a class derived from a library's lists when it is made."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class Pictures(datasets.ImageFolder):
    def __getitem__(self, index):
        picture, label = super().__getitem__(index)
        return picture.mean((1, 2)), label


os.makedirs("sorted/all", exist_ok=True)
for name in os.listdir("unsorted"):
    os.rename(os.path.join("unsorted", name), os.path.join("sorted/all", name))
loader = DataLoader(Pictures("sorted", transforms.ToTensor()), batch_size=8, shuffle=True)
model = nn.Linear(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
