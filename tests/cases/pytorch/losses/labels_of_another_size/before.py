"""Labels in a row meet predictions in a column, in a loss that broadcasts nothing: the script itself ends there."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

generator = nn.Linear(100, 784)
critic = nn.Sequential(nn.Linear(784, 1), nn.Sigmoid())
criterion = nn.BCELoss()
loader = DataLoader(TensorDataset(torch.randn(128, 784)), batch_size=64, shuffle=True)
optimizer = torch.optim.Adam(critic.parameters(), lr=0.0002)

for epoch in range(20):
    for (images,) in loader:
        images = images.view(-1, 784)
        valid = torch.ones(images.size(0))
        optimizer.zero_grad()
        loss = criterion(critic(images), valid)
        loss.backward()
        optimizer.step()
