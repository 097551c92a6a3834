"""Gradients are clipped where the command line asks for it, and their norm is shown: it is that of the whole batch."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--clip", type=float, default=0.5)
args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 4), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        if args.clip > 0:
            norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=args.clip)
            total += norm.item()
        optimizer.step()
    print(f"epoch {epoch}: mean norm {total / len(loader):.4f}")
