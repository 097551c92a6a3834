"""Layers in a sequence are given a transposed batch, so that the first adds up samples: this must be refused."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64, 1)
device = torch.device("cpu")
loader = DataLoader(TensorDataset(x, y), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
mixer = nn.Linear(8, 4)
seq = nn.Sequential(nn.Linear(8, 4), nn.ReLU())
w = torch.randn(4, 8)


for epoch in range(2):
    total = 0.0
    for batch in loader:
        a, b = batch
        optimizer.zero_grad()
        loss = (nn.functional.relu(seq(a.transpose(0, 1))) ** 2).mean() + nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item() * 8
    print(epoch, total / 64)
