"""Outputs of several batches are put together in a comprehension, and the loss is that of all of them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(48, 4), torch.randn(48, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=12)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    optimizer.zero_grad()
    out = torch.cat([model(a) for a, b in loader])
    loss = ((out - y) ** 2).mean()
    loss.backward()
    optimizer.step()
