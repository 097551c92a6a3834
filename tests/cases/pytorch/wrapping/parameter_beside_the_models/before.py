"""A parameter of no model is stepped: its gradients are averaged by hand for DDP, and by Horovod without names."""
import itertools
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 10)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
encoder = nn.Sequential(nn.Linear(10, 16), nn.ReLU())
head = nn.Linear(16, 2)
log_sigma = nn.Parameter(torch.zeros(1))
opt = torch.optim.Adam(list(encoder.parameters()) + list(head.parameters()) + [log_sigma], lr=1e-2)
for epoch in range(3):
    total = 0.0
    for xb, yb in loader:
        ce = nn.functional.cross_entropy(head(encoder(xb)), yb)
        loss = ce * torch.exp(-log_sigma) + 0.5 * log_sigma
        loss = loss.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print(epoch, total / len(loader), log_sigma.item())
torch.save({"enc": encoder.state_dict(), "head": head.state_dict(), "s": log_sigma}, "two.pt")
