"""Options decide what each batch sets, and what is read of it; a function is given it, and sets its parameter."""
import argparse

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def smoothed(labels, classes, by):
    labels = nn.functional.one_hot(labels, classes)
    return labels * (1 - by) + by / classes


def train(model, loader, optimizer, args):
    total = 0.0
    for x, y in loader:
        if args.turned:
            turned, kept = x.flip(1), y
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        if args.turned:
            loss = loss + args.turned * nn.functional.cross_entropy(model(turned), smoothed(kept, 10, 0.1))
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


parser = argparse.ArgumentParser()
parser.add_argument("--turned", type=float, default=0.5)
args = parser.parse_args()
torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32)[:512] / 16, torch.tensor(digits.target)[:512]
loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(2):
    print(f"epoch {epoch}: loss {train(model, loader, optimizer, args):.4f}")
