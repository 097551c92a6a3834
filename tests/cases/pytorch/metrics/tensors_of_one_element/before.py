"""Accumulators that are tensors keep their dimension, their precision and whether they hold integers."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    row, wide, count = torch.zeros(1), torch.zeros((), dtype=torch.float64), torch.zeros(1, dtype=torch.long)
    for xb, yb in loader:
        output = model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        row += loss.item()
        wide = wide + loss.item()
        count += (output.argmax(1) == yb).sum()
    print(epoch, row / len(loader), row[0], wide / len(loader), count)
