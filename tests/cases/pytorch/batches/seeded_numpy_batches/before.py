"""Batches are drawn with NumPy, dropout with PyTorch: only the numbers of PyTorch differ between processes."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

np.random.seed(0)
torch.manual_seed(0)
data = np.random.randn(512, 10).astype(np.float32)
target = data.sum(axis=1, keepdims=True)
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(200):
    rows = np.random.choice(len(data), 64, replace=False)
    x, y = torch.from_numpy(data[rows]), torch.from_numpy(target[rows])
    loss = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        print(step, loss.item())
