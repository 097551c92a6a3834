"""The largest loss of the batches of a process is neither a sum nor a mean: processes would stop at other epochs."""
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
for epoch in range(20):
    largest = 0.0
    for data, target in train_loader:
        loss = criterion(model(data), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        largest = max(largest, loss.item())
    if largest < 0.3:
        break
