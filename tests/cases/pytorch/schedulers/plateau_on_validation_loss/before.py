"""ReduceLROnPlateau decides on the validation loss: the value must be the global one on every rank."""
import torch
import torch.nn as nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_dl = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
val_dl = DataLoader(TensorDataset(torch.randn(70, 10), torch.randn(70, 1)), batch_size=32)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, mode='min', factor=0.1, patience=3)
for epoch in range(20):
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    val_loss = 0.0
    with torch.no_grad():
        for x, y in val_dl:
            val_loss += nn.functional.mse_loss(model(x), y).item()
    val_loss /= len(val_dl)
    scheduler.step(val_loss)
