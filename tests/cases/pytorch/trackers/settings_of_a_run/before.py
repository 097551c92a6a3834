"""Settings that a sweep may have changed are read: all processes take those of rank 0."""

import torch
import torch.nn.functional as F
import wandb
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
wandb.login()
run = wandb.init(project="digits")
config = run.config
for group in optimizer.param_groups:
    group["lr"] = config.lr

for epoch in range(2):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    run.log({"mean": total / len(loader), "lr": wandb.config["lr"]})
