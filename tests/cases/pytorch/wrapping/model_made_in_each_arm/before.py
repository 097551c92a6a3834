"""A model that each arm of a condition makes, or that a later condition makes anew, is always there."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--wide", action="store_true")
parser.add_argument("--deep", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(64, 8)
loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=16, shuffle=True)
if args.wide:
    encoder = nn.Sequential(nn.Linear(8, 64), nn.ReLU())
else:
    encoder = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
width = 64 if args.wide else 16
head = nn.Linear(width, 2)
if args.deep:
    head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = criterion(head(encoder(inputs)), labels)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
