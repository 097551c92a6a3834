"""Imagenet-style imports: torch.utils.data.distributed is there and nobody uses it, torch.utils.data is used."""
import torch
import torch.nn as nn
import torch.nn.parallel
import torch.utils.data
import torch.utils.data.distributed

torch.manual_seed(0)
data = torch.utils.data.TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
loader = torch.utils.data.DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
