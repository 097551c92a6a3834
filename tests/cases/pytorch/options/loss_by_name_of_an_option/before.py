"""The loss has the name that an option says, and only that of the default can be converted: it is looked at by itself."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import losses

parser = argparse.ArgumentParser()
parser.add_argument("--loss", default="Squares")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

torch.manual_seed(3)
rows = TensorDataset(torch.randn(64, 5), torch.randn(64, 1))
loader = DataLoader(rows, batch_size=16, shuffle=True)
model = nn.Linear(5, 1)
criterion = getattr(losses, args.loss)()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(args.epochs):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
