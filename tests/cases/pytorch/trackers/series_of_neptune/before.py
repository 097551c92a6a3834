"""Series of a run are reported to as if each process had one."""

import torch
import torch.nn.functional as F
import neptune
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
run = neptune.init_run(project="team/digits")
run["parameters"] = {"lr": 0.1}

for epoch in range(2):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        run["train/loss"].append(loss.item())
    run["mean"].append(total / len(loader))
run.stop()
