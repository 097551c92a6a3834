"""A project module has a function that makes all loaders; its parameters stand on several lines."""

import numpy as np
import torch
from loading import get_loader, longer
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
folds = [(np.arange(0, 160), np.arange(160, 200)), (np.arange(40, 200), np.arange(0, 40))]
for train_rows, valid_rows in folds:
    train_loader = get_loader(
        x[train_rows],
        y[train_rows],
        16,
        for_training=True,
    )
    valid_loader = get_loader(x[valid_rows], y[valid_rows], size=20)
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + hvd.rank())
    for epoch in range(2):
        train_loader.sampler.set_epoch(train_loader.sampler.epoch + 1)
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
        losses = []
        with torch.no_grad():
            for inputs, labels in valid_loader:
                losses.append(nn.functional.cross_entropy(model(inputs), labels).item())
        if hvd.rank() == 0:
            print(np.mean(losses), max(losses))
rest = longer(x[200:], y[200:])
with torch.no_grad():
    max_result = max(nn.functional.cross_entropy(model(inputs), labels).item() for inputs, labels in rest)
    if hvd.rank() == 0:
        print(max_result)
hvd.shutdown()
