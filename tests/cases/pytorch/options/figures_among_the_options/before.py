"""Options as a dict, into which the script puts figures of the training: what is put in differs between processes."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--best", type=float, default=0.0)
config = vars(parser.parse_args())

torch.manual_seed(3)
rows = TensorDataset(torch.randn(64, 5), torch.randint(0, 3, (64,)))
loader = DataLoader(rows, batch_size=16, shuffle=True)
model = nn.Linear(5, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(config["epochs"]):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    config[f"loss of {epoch}"] = loss.item()
    config["best"] = max(config["best"], loss.item())
    if config["best"] > 10:
        break
    print(config["best"], config["loss of 0"])
