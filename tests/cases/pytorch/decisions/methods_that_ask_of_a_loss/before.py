"""Training ends where the loss is no number, which methods of it are asked for: all processes ask the whole loss."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        if torch.isnan(loss).any():
            print("not a number")
            break
        if loss.isinf():
            break
        loss.backward()
        optimizer.step()
