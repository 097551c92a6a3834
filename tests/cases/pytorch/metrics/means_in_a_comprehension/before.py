"""Averages of several losses are computed in the comprehension that prints them."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(320, 8), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
names = ["squared", "absolute"]

for epoch in range(2):
    sums = [0.0, 0.0]
    for x, y in loader:
        losses = [nn.functional.mse_loss(model(x), y), (model(x) - y).abs().mean()]
        optimizer.zero_grad()
        losses[0].backward()
        optimizer.step()
        for i, loss in enumerate(losses):
            sums[i] += loss.item()
    print(" ".join(f"{name} {total / len(loader):.3f}" for name, total in zip(names, sums)))
