"""Weak scaling: args.lr is scaled where the optimizer is made; the argument itself stays the user's."""
import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument('--lr', type=float, default=0.01)
parser.add_argument('--batch-size', type=int, default=32)
parser.add_argument('--epochs', type=int, default=20)
args = parser.parse_args()
print("lr", args.lr)
loader = DataLoader(TensorDataset(torch.randn(3200, 10), torch.randn(3200, 1)), batch_size=args.batch_size, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
for epoch in range(args.epochs):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
