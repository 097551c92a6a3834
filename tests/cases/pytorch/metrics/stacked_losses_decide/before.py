"""The losses of a pass are put into one tensor, of which the mean decides."""
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
best = float("inf")
for epoch in range(3):
    losses = []
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    mean = torch.stack(losses).mean().item()
    if mean < best:
        best = mean
        torch.save(model.state_dict(), "best.pt")
    print(epoch, mean, torch.stack(losses).max().item())
