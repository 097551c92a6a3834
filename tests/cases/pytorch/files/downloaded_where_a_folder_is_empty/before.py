"""How many files a folder has decides whether libraries download: all have counted before rank 0 does."""

import os

import kagglehub
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

count = len(os.listdir("data"))
if count == 0:
    print(kagglehub.dataset_download("somebody/labels"))
    datasets.MNIST("data", download=True)
torch.manual_seed(0)
data = datasets.MNIST("data", transform=transforms.ToTensor())
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for images, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
