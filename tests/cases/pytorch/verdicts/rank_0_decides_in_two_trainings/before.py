"""Two trainings, in each of which each process measures for itself when to stop: one function is written, in front."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch import optim
batch_size = 12
epochs = 2
lr = 0.1
test_batch_size = 12
torch.manual_seed(0)
x = torch.randn(48 + 24, 6)
y = x[:, :2].sum(1)
w = torch.rand(48 + 24) + 0.5
train_set = TensorDataset(x[:48], y[:48], w[:48])
test_set = TensorDataset(x[48:], y[48:], w[48:])
loader = DataLoader(train_set, batch_size=batch_size)
test_loader = DataLoader(test_set, batch_size=test_batch_size)
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=lr)
best, bad = float("inf"), 0
for epoch in range(epochs):
    model.train()
    for x, y, w in loader:
        optimizer.zero_grad()
        out = model(x).squeeze(-1)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
    model.eval()
    outputs, targets = [], []
    with torch.no_grad():
        for x, y, w in test_loader:
            out = model(x).squeeze(-1)
            outputs.append(out)
            targets.append(y)
    test_loss = criterion(torch.cat(outputs), torch.cat(targets)).item()
    print(f"epoch {epoch} test loss {test_loss:.4f}")
    if test_loss < best:
        best, bad = test_loss, 0
    else:
        bad += 1
        for group in optimizer.param_groups:
            group["lr"] *= 0.5
    if bad >= 2:
        break
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=lr)
best, bad = float("inf"), 0
for epoch in range(epochs):
    model.train()
    for x, y, w in loader:
        optimizer.zero_grad()
        out = model(x).squeeze(-1)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
    model.eval()
    outputs, targets = [], []
    with torch.no_grad():
        for x, y, w in test_loader:
            out = model(x).squeeze(-1)
            outputs.append(out)
            targets.append(y)
    test_loss = criterion(torch.cat(outputs), torch.cat(targets)).item()
    print(f"epoch {epoch} test loss {test_loss:.4f}")
    if test_loss < best:
        best, bad = test_loss, 0
    else:
        bad += 1
        for group in optimizer.param_groups:
            group["lr"] *= 0.5
    if bad >= 2:
        break
