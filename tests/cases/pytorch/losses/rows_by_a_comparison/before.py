"""Rows that a comparison chooses, also with a column, are another number on each process: their mean is over all."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    total = 0.0
    for inputs, labels in loader:
        output = model(inputs)
        loss = output[labels > 0, 0].pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
