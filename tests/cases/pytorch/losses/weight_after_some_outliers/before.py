"""The loss weighs less once outliers have been met."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
outliers, weight = [], 1.0
for epoch in range(3):
    for x, y in loader:
        if x.max().item() > 3:
            outliers.append(epoch)
        if outliers:
            weight = 0.5
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y) * weight
        loss.backward()
        optimizer.step()
