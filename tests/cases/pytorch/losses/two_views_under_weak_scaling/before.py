"""A contrastive loss compares each sample with all others of its batch: with a share of the batch it is another loss."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(640, 16), torch.randn(640, 16)), batch_size=64, shuffle=True)
encoder = nn.Linear(16, 8)
optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)
for epoch in range(3):
    for a, b in loader:
        za = F.normalize(encoder(a), dim=1)
        zb = F.normalize(encoder(b), dim=1)
        logits = za @ zb.t() / 0.1
        loss = F.cross_entropy(logits, torch.arange(a.size(0)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
