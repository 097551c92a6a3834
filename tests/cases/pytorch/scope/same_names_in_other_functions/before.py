"""optimizer, loader and epoch mean other things in functions that do not train: those are left alone."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def optimizer(text):
    return text.strip().lower()


def epoch(loader):
    return [optimizer(line) for line in loader]


def train():
    loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
    model = nn.Linear(10, 1)
    sgd = torch.optim.SGD(model.parameters(), lr=0.01)
    for i in range(3):
        for x, y in loader:
            sgd.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            sgd.step()


print(epoch(["  Adam ", "SGD"]))
train()
