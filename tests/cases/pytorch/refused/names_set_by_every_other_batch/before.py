"""Every other batch sets what all read."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(96, 6), torch.randn(96)), batch_size=12, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for i, (x, y) in enumerate(loader):
        if i % 2 == 0:
            other = x.flip(1)
        optimizer.zero_grad()
        loss = (model(x).squeeze(1) - y).pow(2).mean() + (model(other).squeeze(1) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
