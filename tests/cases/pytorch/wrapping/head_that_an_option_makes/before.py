"""A second head is made and used where an option says so: where it does not, there is nothing to wrap."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--second", action="store_true")
parser.add_argument("--third", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(64, 8)
loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=16, shuffle=True)
model = nn.Linear(8, 2)
params = list(model.parameters())
third = None
if args.second:
    second = nn.Linear(8, 2)
    params += list(second.parameters())
if args.third:
    third = nn.Linear(8, 2)
    params += list(third.parameters())
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(params, lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        if args.second:
            loss = loss + criterion(second(inputs), labels)
        if third is not None:
            loss = loss + criterion(third(inputs), labels)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
