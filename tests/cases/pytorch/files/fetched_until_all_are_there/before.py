"""Rank 0 alone fetches, for what all have found, and go by again: they have looked before it does."""

import os
import urllib.request

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

complete = False
while not complete:
    count = len(os.listdir("numbers"))
    complete = count >= 2
    if not complete:
        urllib.request.urlretrieve(f"https://example.org/{count}.pt", f"numbers/{count}.pt")
torch.manual_seed(0)
data = TensorDataset(torch.load("numbers/0.pt"), torch.load("numbers/1.pt"))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
