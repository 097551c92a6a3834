"""Without a dimension, log_softmax works along the second of two: that of the classes."""

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
        loss = F.nll_loss(F.log_softmax(model(xb)), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
