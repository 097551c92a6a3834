"""The device is an item of a file of settings: it may be a GPU, of which each process takes its own."""
import json
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

with open("settings.json") as file:
    config = json.load(file)
loader = DataLoader(TensorDataset(torch.randn(64, 6), torch.randn(64, 1)), batch_size=16)
model = nn.Linear(6, 1).to(config["where"])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        x, y = x.to(config["where"]), y.to(config["where"])
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
