"""Noise is added to each batch in the step (denoising autoencoder): it must differ between ranks, although the seed is set."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(7)
loader = DataLoader(TensorDataset(torch.rand(640, 20)), batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(20, 5), nn.ReLU(), nn.Linear(5, 20))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(4):
    for (clean,) in loader:
        noisy = clean + 0.1 * torch.randn_like(clean)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(noisy), clean).backward()
        optimizer.step()
