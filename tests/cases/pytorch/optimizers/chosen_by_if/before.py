"""The class of the optimizer is chosen at run time by if/elif: each of the calls is the one optimizer."""
import argparse
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--optimizer", choices=["sgd", "adam"], default="sgd")
parser.add_argument("--lr", type=float, default=0.01)
args = parser.parse_args()

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(200, 2), torch.randn(200, 1)), batch_size=20, shuffle=True)
model = nn.Linear(2, 1)
if args.optimizer == "sgd":
    optimizer = optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
elif args.optimizer == "adam":
    optimizer = optim.Adam(model.parameters(), lr=args.lr)
else:
    raise ValueError(args.optimizer)

for epoch in range(5):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
