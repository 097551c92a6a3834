"""The epoch loop is left on a validation metric that does not improve."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

train_dl = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
val_dl = DataLoader(TensorDataset(torch.randn(100, 10), torch.randn(100, 1)), batch_size=32)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
best, patience, waited = float("inf"), 5, 0
for epoch in range(200):
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    val = 0.0
    with torch.no_grad():
        for x, y in val_dl:
            val += nn.functional.mse_loss(model(x), y, reduction="sum").item()
    if val < best:
        best, waited = val, 0
    else:
        waited += 1
        if waited >= patience:
            print("early stop at", epoch)
            break
