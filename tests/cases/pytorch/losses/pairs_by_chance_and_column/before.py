"""A column of another sample of the batch, taken by chance."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(640, 10), torch.randint(0, 4, (640,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        scores = model(x)
        other = torch.randperm(len(y))
        loss = (scores[torch.arange(len(y)), y] - scores[other, y]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
