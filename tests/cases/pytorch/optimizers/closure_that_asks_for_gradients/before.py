"""The closure of the documentation of LBFGS: it asks whether gradients are on, which they are in training."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(400, 10), torch.randn(400, 1)), batch_size=200, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.8)
for epoch in range(5):
    for x, y in loader:
        def closure():
            if torch.is_grad_enabled():
                optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            if loss.requires_grad:
                loss.backward()
            return loss
        optimizer.step(closure)
