"""Classify Fashion-MNIST with a small convolutional network.

Reads the original files (IDX, gzipped) where torchvision puts them: data/FashionMNIST/raw. They come from
https://github.com/zalandoresearch/fashion-mnist; ../data/make_small.py writes small ones to try it offline.

    python fashion_mnist_cnn.py
    python fashion_mnist_cnn.py --data FOLDER --epochs 10
"""

import argparse
import gzip
import os
import struct

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


def read_idx(path):
    """An IDX file of bytes: the third byte of its head is the type, the fourth the number of dimensions."""
    with gzip.open(path, "rb") as file:
        _, kind, dimensions = struct.unpack(">HBB", file.read(4))
        assert kind == 0x08, f"{path} has no unsigned bytes"
        shape = struct.unpack(f">{dimensions}I", file.read(4 * dimensions))
        return np.frombuffer(file.read(), dtype=np.uint8).reshape(shape)


class FashionMNIST(Dataset):
    """Grey images of 28 x 28 pixels, ten classes."""

    def __init__(self, folder, train):
        name = "train" if train else "t10k"
        images = read_idx(os.path.join(folder, f"{name}-images-idx3-ubyte.gz"))
        labels = read_idx(os.path.join(folder, f"{name}-labels-idx1-ubyte.gz"))
        self.images = torch.tensor(images, dtype=torch.float32).unsqueeze(1) / 255
        self.labels = torch.tensor(labels, dtype=torch.int64)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return (self.images[index] - 0.2860) / 0.3530, self.labels[index]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.dropout = nn.Dropout(0.25)
        self.fc1 = nn.Linear(32 * 7 * 7, 128)
        self.fc2 = nn.Linear(128, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)  # 28 x 28 -> 14 x 14
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)  # 14 x 14 -> 7 x 7
        x = self.dropout(torch.flatten(x, 1))
        return self.fc2(F.relu(self.fc1(x)))


def train(model, loader, optimizer, device):
    model.train()
    total_loss = 0.0
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        total_loss += loss.item() * images.size(0)
    return total_loss / len(loader.dataset)


def test(model, loader, device):
    model.eval()
    correct = 0
    with torch.no_grad():
        for images, labels in loader:
            images, labels = images.to(device), labels.to(device)
            correct += (model(images).argmax(dim=1) == labels).sum().item()
    return correct / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser(description="Fashion-MNIST with a small convolutional network")
    parser.add_argument("--data", default="data", help="folder with FashionMNIST/raw (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    folder = os.path.join(args.data, "FashionMNIST", "raw")
    train_loader = DataLoader(FashionMNIST(folder, train=True), batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(FashionMNIST(folder, train=False), batch_size=256)

    model = Net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    for epoch in range(1, args.epochs + 1):
        loss = train(model, train_loader, optimizer, device)
        accuracy = test(model, test_loader, device)
        print(f"epoch {epoch}: train loss {loss:.4f}, test accuracy {accuracy:.4f}")

    torch.save(model.state_dict(), "fashion_mnist_cnn.pt")


if __name__ == "__main__":
    main()
