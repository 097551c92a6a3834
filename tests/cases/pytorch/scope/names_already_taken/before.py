"""rank, dist, hvd, sampler, world_size and ddp_model are the user's own: added names must be others."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

rank = 3                      # of the matrix
torch.manual_seed(0)
dist = torch.cdist(torch.randn(8, 4), torch.randn(8, 4))
hvd = "Hauptverband"
sampler = torch.distributions.Normal(0.0, 1.0)
world_size = 40_000           # km
ddp_model = None

noise = sampler.sample((400, 8))
factors = noise @ torch.linalg.qr(torch.randn(8, 8))[0][:, :rank]
loader = DataLoader(TensorDataset(noise, factors), batch_size=40, shuffle=True)
model = nn.Linear(8, rank)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
print(hvd, world_size, dist.shape, ddp_model)
