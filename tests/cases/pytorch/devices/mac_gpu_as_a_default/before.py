"""The GPU of a Mac is the default of an option, of a parameter, and one of three that a function gives."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def best():
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def zeros(count, where="mps"):
    return torch.zeros(count, device=where)


parser = argparse.ArgumentParser()
parser.add_argument("--device", default="mps", choices=["cpu", "mps", "cuda"])
args = parser.parse_args()
device = best() if args.device == "cuda" else torch.device(args.device)
if device.type == "mps":
    torch.mps.manual_seed(0)
offset = zeros(1)
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.to(device)), y.to(device) + offset.to(device)).backward()
        optimizer.step()
