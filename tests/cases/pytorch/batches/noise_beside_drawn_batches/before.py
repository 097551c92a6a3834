"""Batches are drawn with the numbers that dropout is drawn with: these have to stay equal on all processes."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
data, target = torch.randn(512, 10), torch.randn(512, 1)
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(200):
    rows = torch.randint(0, len(data), (64,))
    loss = F.mse_loss(model(data[rows]), target[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
