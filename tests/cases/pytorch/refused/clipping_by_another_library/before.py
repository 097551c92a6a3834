"""What a library that is not known does to gradients is not known."""
import torch
import torch.nn as nn
from timm.utils import dispatch_clip_grad
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 4), torch.randn(640, 1)), batch_size=32, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        dispatch_clip_grad(model.parameters(), 1.0)
        optimizer.step()
