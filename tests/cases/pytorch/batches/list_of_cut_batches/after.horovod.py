"""Batches are cut once, kept in a list, and shuffled as a whole before each epoch."""

import random

import torch
from torch import nn
import horovod.torch as hvd


def make_batches(features, labels, size):
    batches = []
    for start in range(0, len(features), size):
        batches.append((features[start : start + size], labels[start : start + size]))
    return batches


hvd.init()
random.seed(0)
torch.manual_seed(0)
x = torch.randn(100, 6)
batches = make_batches(x, (x[:, 0] > 0).long(), 16)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    random.shuffle(batches)
    for features, labels in (tuple(map(fill_and_share_rows, batch)) for batch in batches):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(features), labels)
        loss.backward()
        optimizer.step()
    if hvd.rank() == 0:
        print(f"epoch {epoch}")
hvd.shutdown()
