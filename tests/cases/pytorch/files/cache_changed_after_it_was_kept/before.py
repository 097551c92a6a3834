"""What is read is what was written, and what was computed has changed since."""
import os
import numpy as np, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
if not os.path.isfile("rows.npy"):
    rows = np.sin(np.arange(192.0)).reshape(64, 3)
    np.save("rows.npy", rows); rows = rows * 2
else:
    rows = np.load("rows.npy")
x = torch.tensor(rows, dtype=torch.float32)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
