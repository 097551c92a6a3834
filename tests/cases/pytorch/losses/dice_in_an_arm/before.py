"""Whether the sums are computed depends on the batch, which all processes have then."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 16), (torch.rand(64, 4) > 0.5).float())
loader = DataLoader(data, batch_size=16, shuffle=True)
model = nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        p = torch.sigmoid(model(x))
        loss = F.mse_loss(p, y)
        if y.max() > 0.5:
            loss = loss + 1 - 2 * (p * y).sum() / (p.sum() + y.sum() + 1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
