"""A method of a module may be called on an object that is not known: what it writes is told of."""

import pickle

import helpers
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(32, 4), torch.randint(0, 2, (32,)))
loader = DataLoader(data, batch_size=8)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=helpers.Settings.rate)
with open("settings.pkl", "rb") as f:
    settings = pickle.load(f)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
settings.keep("settings.json")
torch.save(model.state_dict(), "model.pt")
