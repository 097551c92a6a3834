"""Inputs and labels are put in a new order and split into batches in each epoch."""

import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
x = torch.randn(100, 6)
y = (x[:, 0] > 0).long()
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    order = torch.randperm(len(x))
    for features, labels in (tuple(map(fill_and_share_rows, batch)) for batch in zip(x[order].split(16), y[order].split(16))):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(features), labels)
        loss.backward()
        optimizer.step()
    if hvd.rank() == 0:
        print(f"epoch {epoch}")
hvd.shutdown()
