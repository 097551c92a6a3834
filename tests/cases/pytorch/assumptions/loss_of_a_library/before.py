"""The loss of a library that is installed where the script runs: right if it is a mean over the samples."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision.ops import sigmoid_focal_loss

x, y = torch.randn(64, 8), torch.randn(64, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    total = 0.0
    for a, b in loader:
        optimizer.zero_grad()
        loss = sigmoid_focal_loss(model(a), b, reduction="mean")
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
