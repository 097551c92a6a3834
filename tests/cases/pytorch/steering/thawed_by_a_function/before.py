"""A function thaws parameters in the training loop, which it has frozen before."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def set_trainable(module, flag):
    for p in module.parameters():
        p.requires_grad = flag


torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
features = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
model = nn.Sequential(features, nn.Linear(16, 2))
set_trainable(features, False)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    if epoch == 2:
        set_trainable(features, True)
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
