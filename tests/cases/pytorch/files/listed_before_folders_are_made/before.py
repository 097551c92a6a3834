"""Pictures are listed, folders are made among them, and the pictures are moved there: all have listed before both."""

import os
import shutil

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def sort_out(folder):
    names = [name for name in os.listdir(folder) if name.startswith(("cat", "dog"))]
    for kind in ("cat", "dog"):
        os.makedirs(os.path.join(folder, kind))
    for name in names:
        shutil.move(os.path.join(folder, name), os.path.join(folder, name[:3], name))


sort_out("pictures")
torch.manual_seed(0)
data = datasets.ImageFolder("pictures", transforms.Compose([transforms.Resize((8, 8)), transforms.ToTensor()]))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Flatten(), nn.Linear(192, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for images, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
