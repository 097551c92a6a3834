"""``unbind`` takes the dimension away, and a squeezed part has none of its own: the loss is a mean, and stays."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = torch.randint(0, 3, (320,))
w = torch.rand(320)
loader = DataLoader(TensorDataset(x, y, w), batch_size=32)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)

for epoch in range(2):
    for xb, yb, wb in loader:
        first, second, _ = model(xb).unbind(1)
        third = model(xb).split(1, dim=1)[2].squeeze(1)
        loss = F.mse_loss(first, wb) + F.mse_loss(second, wb) + F.mse_loss(third, wb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
