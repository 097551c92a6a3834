"""The reduction is an attribute that anyone may set."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

train_loader = DataLoader(TensorDataset(torch.randn(200, 8), torch.randn(200, 1)), batch_size=20, shuffle=True)
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
criterion.reduction = "sum"
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)

for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
