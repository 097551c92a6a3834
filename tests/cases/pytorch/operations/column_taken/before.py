"""The first column matches flat targets, and targets with a column match the predictions."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = x.sum(1) + 0.1 * torch.randn(320)
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
for epoch in range(2):
    for xb, yb in loader:
        loss = criterion(model(xb)[:, 0], yb) + criterion(model(xb), yb.unsqueeze(1)) + ((model(xb) - yb.float().reshape(-1, 1)) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
