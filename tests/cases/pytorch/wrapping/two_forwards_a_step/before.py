"""The model is called twice in a step (siamese pairs), with one backward: the wrapper serves both calls."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
a, b = torch.randn(400, 10), torch.randn(400, 10)
loader = DataLoader(TensorDataset(a, b, torch.randint(0, 2, (400,)).float()), batch_size=40, shuffle=True)
net = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for epoch in range(3):
    for x0, x1, label in loader:
        d = nn.functional.pairwise_distance(net(x0), net(x1))
        loss = ((1 - label) * d.pow(2) + label * torch.clamp(2 - d, min=0).pow(2)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
