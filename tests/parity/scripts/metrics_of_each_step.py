"""What is accumulated over an epoch is no sum or mean over the samples, or several of them in an array."""

import math

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
x = torch.randn(96, 6)
y = x[:, :1] - x[:, 1:2] + 0.5 * torch.randn(96, 1)
train_loader = DataLoader(TensorDataset(x, y), batch_size=24, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
criterion = nn.MSELoss(reduction="sum")
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)

for epoch in range(3):
    total, count, squares, ratios = 0.0, 0, 0.0, 0.0
    sums, errors = np.zeros(2), torch.zeros(2)
    for step, (inputs, targets) in enumerate(train_loader):
        outputs = model(inputs)
        loss = criterion(outputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        squares += loss.item() ** 2
        total += loss.item() * len(inputs)
        count += len(inputs)
        if step > 1:
            ratios = ratios + loss.item() / targets.abs().sum().item()
        sums += np.array([loss.item(), len(inputs)])
        errors += torch.tensor([loss.item(), (outputs - targets).abs().sum().item()])
    print(f"{epoch}: {total / count:.4f} {math.sqrt(squares / len(train_loader)):.4f} {ratios:.4f}")
    print(f"{sums[0] / sums[1]:.4f} {errors[0].item() / 96:.4f} {errors[1].item() / 96:.4f}")
torch.save(model.state_dict(), "metrics_of_each_step.pt")
