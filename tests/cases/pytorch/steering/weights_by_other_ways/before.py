"""Weights are changed by way of lists, chains, dicts, arrays and states: all refused."""

import itertools
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.0), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for layer in model.modules():
        if isinstance(layer, nn.Linear):
            layer.reset_parameters()
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        spread = float(xb.std())
        torch._foreach_mul_(list(model.parameters()), spread)
        for p in itertools.chain(model[0].parameters(), model[3].parameters()):
            p.data.mul_(spread)
        for p in filter(lambda p: p.requires_grad, model.parameters()):
            p.data.add_(torch.randn_like(p))
        model._modules["0"].weight.data.mul_(spread)
        getattr(model, str(3 - epoch % 2)).weight.data.mul_(spread)
        model[3].bias.data.numpy()[0] = spread
        model.load_state_dict({k: v * spread for k, v in model.state_dict().items()})
