"""The user's evaluation loader drops its last batch: the batches evaluated must stay those of the sequential run."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_dl = DataLoader(TensorDataset(torch.randn(640, 4), torch.randn(640, 1)), batch_size=64, shuffle=True)
test_dl = DataLoader(TensorDataset(torch.randn(200, 4), torch.randn(200, 1)), batch_size=64, drop_last=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
loss = 0.0
with torch.no_grad():
    for x, y in test_dl:
        loss += nn.functional.mse_loss(model(x), y).item()
print("test loss", loss / len(test_dl))
