"""Apex only with a flag, and a loss that compares all samples without it, too: that is what is in the way."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    import apex
except ImportError:
    apex = None

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--sync-statistics", action="store_true")
args = parser.parse_args()

torch.manual_seed(3)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
if args.sync_statistics:
    model = apex.parallel.convert_syncbn_model(model)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(args.epochs):
    for x, y in loader:
        loss = criterion(model(x)[:, :1], y[:, 0])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
