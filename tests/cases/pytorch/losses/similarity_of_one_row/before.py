"""Similarity along a row that holds the whole batch."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(640, 10), torch.randn(640, 4))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        loss = 1 - F.cosine_similarity(model(x).view(1, -1), y.view(1, -1)).mean()
        loss.backward()
        optimizer.step()
