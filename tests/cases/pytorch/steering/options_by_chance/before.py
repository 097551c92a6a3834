"""Options of the optimizer set at random, by the clock or on chance, by whatever way: all refused."""

import random
import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.0), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
first = opt.param_groups[0]
groups = list(opt.param_groups)
start = time.time()
for epoch in range(3):
    for group in opt.param_groups:
        group["lr"] = random.uniform(0.01, 0.2)
    for i, group in enumerate(opt.param_groups):
        group.update(lr=0.2 * torch.rand(1).item())
    first["momentum"] = np.random.uniform(0.5, 0.9)
    groups[0]["weight_decay"] = random.choice([0.0, 0.1])
    first.update({"dampening": random.random()})
    opt.defaults["nesterov"] = random.random() < 0.5
    if random.random() < 0.5:
        for group in reversed(opt.param_groups):
            group["lr"] *= 0.5
    for xb, yb in loader:
        first["lr"] = 0.05 / (1 + time.time() - start)
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for state in opt.state.values():
            state["momentum_buffer"].mul_(random.random())
