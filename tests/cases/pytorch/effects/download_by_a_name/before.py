"""Which data set is downloaded, a name says: no other one is."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

parser = argparse.ArgumentParser()
parser.add_argument("--data", default="mnist")
args = parser.parse_args()


def dataset(name):
    known = {
        "mnist": lambda: datasets.MNIST("data", train=True, transform=transforms.ToTensor(), download=True),
        "fashion": lambda: datasets.FashionMNIST("data", train=True, transform=transforms.ToTensor(), download=True),
    }
    return known[name]()


def test_data():
    return datasets.MNIST("data", train=False, transform=transforms.ToTensor(), download=True)


torch.manual_seed(0)
loader = DataLoader(dataset(args.data), batch_size=16, shuffle=True)
test_loader = DataLoader(test_data(), batch_size=64)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for images, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
    with torch.no_grad():
        correct = sum((model(x).argmax(1) == y).sum().item() for x, y in test_loader)
    print(epoch, correct / len(test_loader.dataset))
