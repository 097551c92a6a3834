"""Targets of -100 are left out by default: the divisor of the mean differs between the ranks' batches."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
tokens = torch.randint(1, 20, (200, 12))
targets = tokens.roll(-1, dims=1).masked_fill(torch.rand(200, 12) < 0.3, -100)
loader = DataLoader(TensorDataset(tokens, targets), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Embedding(20, 16), nn.Linear(16, 20))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for epoch in range(2):
    for x, y in loader:
        loss = F.cross_entropy(model(x).view(-1, 20), y.view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
