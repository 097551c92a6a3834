"""The largest error of each batch is summed up: no reduction of what a process has makes it that of the batch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(96, 6)
y = x[:, :1] - x[:, 1:2]
train_loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(6, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(3):
    worst = 0.0
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        worst += (outputs - targets).abs().max().item() * loss.item()
    print(epoch, worst / len(train_loader))
