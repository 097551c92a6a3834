"""Classify CIFAR-10 with a convolutional network, batch normalisation and flipped images.

Reads the original files (the "python version") where torchvision puts them: data/cifar-10-batches-py. They come from
https://www.cs.toronto.edu/~kriz/cifar.html; ../data/make_small.py writes small ones to try it offline. They are
pickles, which can run code when they are loaded: take them from there only.

    python cifar10_cnn.py
    python cifar10_cnn.py --data FOLDER --epochs 20
"""

import argparse
import os
import pickle

import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset

MEAN = torch.tensor([0.4914, 0.4822, 0.4465]).view(3, 1, 1)
STD = torch.tensor([0.2470, 0.2435, 0.2616]).view(3, 1, 1)


def unpickle(path):
    with open(path, "rb") as file:
        return pickle.load(file, encoding="bytes")


class CIFAR10(Dataset):
    """Colour images of 32 x 32 pixels, ten classes."""

    def __init__(self, folder, train=True):
        names = [f"data_batch_{number}" for number in range(1, 6)] if train else ["test_batch"]
        batches = [unpickle(os.path.join(folder, name)) for name in names]
        pixels = np.concatenate([batch[b"data"] for batch in batches])
        self.images = torch.from_numpy(pixels.reshape(-1, 3, 32, 32))
        self.labels = torch.tensor([label for batch in batches for label in batch[b"labels"]])
        self.train = train

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        image = (self.images[index].float() / 255 - MEAN) / STD
        if self.train and torch.rand(1).item() < 0.5:
            image = image.flip(2)
        return image, self.labels[index]


def block(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(2),
    )


class ConvNet(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.features = nn.Sequential(block(3, 16), block(16, 32), block(32, 64))
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(64 * 4 * 4, 64), nn.ReLU(), nn.Linear(64, classes))

    def forward(self, x):
        return self.classifier(self.features(x))


parser = argparse.ArgumentParser(description="CIFAR-10 with a convolutional network")
parser.add_argument("--data", default="data", help="folder with cifar-10-batches-py (default: %(default)s)")
parser.add_argument("--epochs", type=int, default=5)
parser.add_argument("--batch-size", type=int, default=64)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

torch.manual_seed(args.seed)
device = "cuda" if torch.cuda.is_available() else "cpu"

folder = os.path.join(args.data, "cifar-10-batches-py")
train_set = CIFAR10(folder, train=True)
test_set = CIFAR10(folder, train=False)
train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
test_loader = DataLoader(test_set, batch_size=200, shuffle=False)

net = ConvNet().to(device)
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)

best_accuracy = 0.0
for epoch in range(args.epochs):
    net.train()
    running_loss, correct, total = 0.0, 0, 0
    for inputs, targets in train_loader:
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        running_loss += loss.item() * targets.size(0)
        correct += outputs.argmax(1).eq(targets).sum().item()
        total += targets.size(0)
    scheduler.step()
    print(f"epoch {epoch + 1}: train loss {running_loss / total:.4f}, accuracy {correct / total:.4f}")

    net.eval()
    correct = 0
    with torch.no_grad():
        for inputs, targets in test_loader:
            inputs, targets = inputs.to(device), targets.to(device)
            correct += net(inputs).argmax(1).eq(targets).sum().item()
    accuracy = correct / len(test_set)
    print(f"epoch {epoch + 1}: test accuracy {accuracy:.4f}")
    if accuracy > best_accuracy:
        best_accuracy = accuracy
        torch.save(net.state_dict(), "cifar10_cnn.pt")

print(f"best test accuracy {best_accuracy:.4f}")
