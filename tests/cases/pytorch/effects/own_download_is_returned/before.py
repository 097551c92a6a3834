"""A function returns the script's own data set, which downloads within: the barrier stands in the class, once."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torchvision import datasets


class Pairs(Dataset):
    def __init__(self, root, train, download=False):
        self.digits = datasets.MNIST(root, train=train, download=download)
        self.pixels = self.digits.data.float() / 255

    def __len__(self):
        return len(self.pixels) - 1

    def __getitem__(self, index):
        same = self.digits.targets[index] == self.digits.targets[index + 1]
        return self.pixels[index], self.pixels[index + 1], same.float()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(784, 16)

    def forward(self, left, right):
        return (self.embed(left.flatten(1)) * self.embed(right.flatten(1))).sum(1)


def pairs():
    return Pairs("../data", train=True, download=True)


def main():
    torch.manual_seed(1)
    train_loader = DataLoader(pairs(), batch_size=64, shuffle=True)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(3):
        for left, right, same in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(left, right), same)
            loss.backward()
            optimizer.step()
        print(epoch, "done")


if __name__ == "__main__":
    main()
