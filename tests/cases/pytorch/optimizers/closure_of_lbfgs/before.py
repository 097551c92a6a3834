"""LBFGS evaluates a closure several times a step, and chooses the length of its step by the global loss."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(400, 10), torch.randn(400, 1)), batch_size=200, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.8)
for epoch in range(5):
    for x, y in loader:
        def closure():
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            return loss
        optimizer.step(closure)
