"""Weights of classes come from all labels, and another number from a pass that is reduced."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(48, 5), torch.randint(3, (48,))
data = TensorDataset(x, y)
loader = DataLoader(data, batch_size=12, shuffle=True)
counts = torch.bincount(y, minlength=3)
smooth = torch.bincount(torch.tensor([label for _, label in data])).max() / len(data)
total = 0.0
for points, _ in loader:
    total += points.pow(2).sum().item()
net = nn.Sequential(nn.Dropout(min(0.5, total / 1e4)), nn.Linear(5, 3))
criterion = nn.CrossEntropyLoss(weight=counts.sum() / counts, label_smoothing=0.1 * float(smooth))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    for points, classes in loader:
        optimizer.zero_grad()
        loss = criterion(net(points), classes)
        loss.backward()
        optimizer.step()
