"""The function that trains an epoch evaluates as well: there the bare model is called."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 8)
y = x.sum(1, keepdim=True)
train = DataLoader(TensorDataset(x[:256], y[:256]), batch_size=16, shuffle=True)
val = DataLoader(TensorDataset(x[256:289], y[256:289]), batch_size=16)
model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
optim = torch.optim.Adam(model.parameters(), lr=0.1)

def one(net):
    net.train()
    for x, y in train:
        loss = nn.functional.mse_loss(net(x), y)
        optim.zero_grad()
        loss.backward()
        optim.step()
    net.eval()
    total = 0.
    with torch.no_grad():
        for x, y in val:
            total += nn.functional.mse_loss(net(x), y, reduction="sum").item()
    return total / len(val.dataset)

for epoch in range(3):
    print(one(model))
