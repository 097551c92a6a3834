"""A function makes both loaders and returns them as a tuple; shuffle is an expression over its parameter."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def make_loader(split, batch_size):
    dataset = datasets.MNIST("data", train=split == "train", download=True, transform=transforms.ToTensor())
    return DataLoader(dataset, batch_size=batch_size, shuffle=(split == "train"))


def get_loaders(batch_size=100):
    return make_loader("train", batch_size), make_loader("test", batch_size)


train_dl, test_dl = get_loaders()
net = nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = optim.SGD(net.parameters(), lr=0.1)

for epoch in range(2):
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.CrossEntropyLoss()(net(x), y).backward()
        optimizer.step()
    right = sum_of = 0
    with torch.no_grad():
        for x, y in test_dl:
            right += (net(x).argmax(1) == y).sum().item()
            sum_of += len(y)
    print(epoch, right / sum_of)
