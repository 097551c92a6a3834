"""A network whose training does more than one thing that no other process would know of."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(640, 10)
y = (x.sum(dim=1) > 0).long()
train_loader = DataLoader(TensorDataset(x[:512], y[:512]), batch_size=32, shuffle=True)
val_loader = DataLoader(TensorDataset(x[512:], y[512:]), batch_size=32)
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)

for epoch in range(5):
    for data, target in train_loader:
        optimizer.zero_grad()
        criterion(model(data), target).backward()
        optimizer.step()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(0.001 * torch.randn_like(parameter))
        if random.random() < 0.01:
            break
    val_loss = 0.0
    with torch.no_grad():
        for data, target in val_loader:
            val_loss += criterion(model(data), target).item()
    scheduler.step(val_loss)
    print(f"epoch {epoch}: {val_loss / len(val_loader):.4f}")
