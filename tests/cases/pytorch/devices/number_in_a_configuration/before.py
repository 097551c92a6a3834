"""The device of a file of settings may be a numbered GPU, which all processes would use: only its type is taken."""
import json
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

with open("settings.json") as file:
    config = json.load(file)
device = torch.device(config["where"] if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(64, 6), torch.randn(64, 1)), batch_size=16)
model = nn.Linear(6, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
