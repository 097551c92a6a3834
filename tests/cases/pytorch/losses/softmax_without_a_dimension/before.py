"""Without a dimension, softmax works along the first of one or three: that of the samples."""

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
        attention = nn.Softmax()(model(xb)[:, 0])
        loss = -(attention * wb).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
