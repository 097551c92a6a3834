"""What is accumulated is no sum or mean over the samples: squares of losses, sums of losses times sizes."""
import math
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(96, 6)
y = x[:, :1] - x[:, 1:2]
train_loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(6, 1)
criterion = nn.MSELoss(reduction="sum")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(3):
    total, count, squares, ratios = 0.0, 0, 0.0, 0.0
    for step, (inputs, targets) in enumerate(train_loader):
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        squares += loss.item() ** 2
        total += loss.item() * inputs.size(0)
        count += inputs.size(0)
        if step > 1:
            ratios = ratios + loss.item() / targets.abs().sum().item()
    print(epoch, total / count, math.sqrt(squares / len(train_loader)), ratios)
