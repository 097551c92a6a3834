"""The function that makes the loss is called in an evaluation with gradients on: DDP would wait for a backward pass, so it wraps nothing."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 8)
y = x.sum(1, keepdim=True)
train, val = DataLoader(TensorDataset(x[:256], y[:256]), batch_size=16, shuffle=True), DataLoader(TensorDataset(x[256:], y[256:]), batch_size=16)
model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
optim = torch.optim.Adam(model.parameters(), lr=0.1)

def loss_of(batch):
    x, y = batch
    return nn.functional.mse_loss(model(x), y, reduction="sum")

for epoch in range(3):
    model.train()
    for batch in train:
        loss = loss_of(batch)
        optim.zero_grad()
        loss.backward()
        optim.step()
    model.eval()
    total = 0.
    for batch in val:
        total += loss_of(batch).item()
    print(epoch, total / len(val.dataset))
