"""What downloads is picked by a name, and may be the script's own, which would wait for the others by itself."""

import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class Marks(datasets.MNIST):
    def __init__(self, root, train, download, transform):
        super().__init__(root, train=train, download=download, transform=transform)


def pick(name):
    return getattr(datasets, name, Marks)


class App:
    def __init__(self, name):
        self.dataset = pick(name)
        self.model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, 10))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def train(self):
        train_set = self.dataset(root="./data", train=True, download=True, transform=transforms.ToTensor())
        for x, y in DataLoader(train_set, batch_size=8, shuffle=True):
            loss = nn.functional.cross_entropy(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()


parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="CIFAR10")
args = parser.parse_args()
torch.manual_seed(0)
App(args.dataset).train()
