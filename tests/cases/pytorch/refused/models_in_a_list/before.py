"""A loop over modules makes the forward pass."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
test_data = TensorDataset(torch.randn(70, 10), torch.randint(0, 3, (70,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
test_loader = DataLoader(test_data, batch_size=32)
models = [nn.Linear(10, 8), nn.Linear(8, 3)]
optimizer = torch.optim.SGD([p for m in models for p in m.parameters()], lr=0.1)
for epoch in range(3):
    for x, y in loader:
        h = x
        for m in models:
            h = m(h)
        optimizer.zero_grad()
        nn.functional.cross_entropy(h, y).backward()
        optimizer.step()
