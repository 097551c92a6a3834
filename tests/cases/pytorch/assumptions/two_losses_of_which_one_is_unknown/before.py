"""Of two losses that are added up one is not known: right if the sum is a mean over the samples."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x, y = torch.randn(64, 8), torch.randn(64, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        out = model(a)
        loss = criterion(out, b) + 0.1 * torch.einsum("bi,bi->", out, out) / len(out)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
