"""Each round of a loop over names trains."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x, y = torch.randn(400, 8), torch.randint(0, 3, (400,))
train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for name in ("slow", "fast"):
    for epoch in range(2 if name == "slow" else 1):
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            criterion(model(inputs), labels).backward()
            optimizer.step()
        print(name, epoch)
