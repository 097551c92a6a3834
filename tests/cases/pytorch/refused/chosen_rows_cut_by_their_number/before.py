"""Chosen samples come after all, and what is not of the chosen ones is cut off in parts of another size."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

x = torch.rand(512, 8)
loader = DataLoader(TensorDataset(x, x.flip(1)), batch_size=64, shuffle=True, drop_last=True)
model = nn.Linear(8, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for first, second in loader:
        out = model(torch.cat([first, second[second[:, 0] > 0.5]]))
        one, two = out.chunk(2)
        loss = F.mse_loss(one[: len(two)], two)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
