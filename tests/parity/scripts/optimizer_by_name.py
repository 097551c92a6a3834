"""The class of the optimizer and the rate are arguments."""
import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--optim", default="SGD")
parser.add_argument("--lr", type=float, default=0.05)
args = parser.parse_args()

torch.manual_seed(11)
x = torch.randn(200, 6)
loader = DataLoader(TensorDataset(x, x[:, :1] - x[:, 1:2]), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))
optimizer = getattr(optim, args.optim)(model.parameters(), lr=args.lr)
for epoch in range(3):
    total = 0.0
    for xb, yb in loader:
        loss = nn.functional.mse_loss(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch} loss {total / len(loader):.6f}")
torch.save(model.state_dict(), "chosen.pt")
