"""A split drawn in the epoch loop differs between processes."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
torch.manual_seed(0)
full = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    data, val = random_split(full, [256, 64])
    loader = DataLoader(data, batch_size=32, shuffle=True)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
