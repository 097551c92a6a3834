"""The class of the optimizer is looked up in torch.optim by an argument."""
import argparse
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--optimizer", default="SGD")
args = parser.parse_args()
loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = getattr(optim, args.optimizer)(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
