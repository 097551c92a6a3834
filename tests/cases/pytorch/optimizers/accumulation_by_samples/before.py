"""A step is made when enough samples were seen: by all processes together."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
seen = 0
for epoch in range(3):
    for x, y in loader:
        nn.functional.mse_loss(model(x), y).backward()
        seen += len(x)
        if seen >= 128:
            optimizer.step()
            optimizer.zero_grad()
            seen = 0
