"""A function is given a teacher or ``None``, and asks which."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 4), torch.randn(96, 1))
loader = DataLoader(data, batch_size=16, shuffle=True)


def train(model, optimizer, teacher):
    for x, y in loader:
        wanted = y if teacher is None else teacher(x).detach()
        loss = nn.functional.mse_loss(model(x), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


large, small = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1)), nn.Linear(4, 1)
large_optimizer = torch.optim.SGD(large.parameters(), lr=0.05)
for epoch in range(2):
    train(large, large_optimizer, None)
small_optimizer = torch.optim.SGD(small.parameters(), lr=0.05)
for epoch in range(2):
    train(small, small_optimizer, large)
