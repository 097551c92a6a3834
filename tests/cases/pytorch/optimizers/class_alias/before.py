"""The optimizer's class reaches its call through an alias of the user's."""
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

Opt = optim.Adamax
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(200, 2), torch.randn(200, 1)), batch_size=20, shuffle=True)
model = nn.Linear(2, 1)
o = Opt(model.parameters(), lr=2e-3)
for epoch in range(5):
    for x, y in loader:
        o.zero_grad()
        (model(x) - y).pow(2).mean().backward()
        o.step()
