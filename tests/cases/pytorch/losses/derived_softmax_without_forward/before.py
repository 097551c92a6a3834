"""A class that only derives from a layer is that layer, with what it is made with: here it goes over the samples."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Scores(nn.Softmax):
    pass


torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randn(320, 4)), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(4, 4), Scores(0))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
