"""Model, loss and optimizer are chosen by name on the command line; a layer of one model is never used."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="deep")
parser.add_argument("--loss", default="plain")
parser.add_argument("--optimizer", default="sgd")
args = parser.parse_args()


class Shallow(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.layer = nn.Linear(12, classes)

    def forward(self, x):
        return self.layer(x)


class Deep(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Linear(12, 16)
        self.head = nn.Linear(16, classes)
        self.spare = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


class Losses:
    def __init__(self, smoothing=0.1):
        self.smoothing = smoothing

    def build(self, mode):
        if mode == "plain":
            return self.plain
        return self.smoothed

    def plain(self, logits, target):
        return F.cross_entropy(logits, target)

    def smoothed(self, logits, target):
        return F.cross_entropy(logits, target, label_smoothing=self.smoothing)


MODELS = {"shallow": Shallow, "deep": Deep}
OPTIMIZERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}

torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(320, 12), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(torch.randn(64, 12), torch.randint(0, 3, (64,))), batch_size=32)
model = MODELS[args.model](3)
criterion = Losses().build(args.loss)
optimizer = OPTIMIZERS[args.optimizer](model.parameters(), lr=0.05)
for epoch in range(3):
    for x, y in train_loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    print(epoch, correct / len(test_loader.dataset))
