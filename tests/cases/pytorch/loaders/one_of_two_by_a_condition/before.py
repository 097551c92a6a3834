"""Of two calls that make the loader only one is made in a run, by an arm or an early return: both have one seed."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--few", action="store_true")
parser.add_argument("--tuned", action="store_true")
args = parser.parse_args()


def tuning(data):
    if args.few:
        return DataLoader(data, batch_size=8, shuffle=True)
    return DataLoader(data, batch_size=16, shuffle=True)


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
if args.few:
    loader = DataLoader(data, batch_size=8, shuffle=True)
else:
    loader = DataLoader(data, batch_size=16, shuffle=True)
after = tuning(data)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
for epoch in range(2):
    for x, y in after:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
torch.save(model.state_dict(), "model.pt")
