"""Whether to shuffle is known only at run time: the sampler gets the same expression."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--no-shuffle", action="store_true")
args = parser.parse_args()

digits = load_digits()
data = TensorDataset(torch.tensor(digits.data, dtype=torch.float32), torch.tensor(digits.target))
shuffle = not args.no_shuffle
loader = DataLoader(data, batch_size=args.batch_size, shuffle=shuffle)

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
criterion = nn.CrossEntropyLoss()
for ep in range(args.epochs):
    for inputs, targets in loader:
        optimizer.zero_grad()
        criterion(model(inputs), targets).backward()
        optimizer.step()
    print("finished epoch", ep)
