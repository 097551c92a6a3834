"""A data set of the script's own makes its folder, and hands what it is given on to that of a library, which may download."""
import os
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class Own(datasets.MNIST):
    def __init__(self, root, **more):
        if not os.path.exists(root):
            os.makedirs(root)
        super().__init__(root, **more)


loader = DataLoader(Own("data", train=True, download=True, transform=transforms.ToTensor()), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    opt.step()
