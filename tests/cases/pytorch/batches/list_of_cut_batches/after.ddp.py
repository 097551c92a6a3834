"""Batches are cut once, kept in a list, and shuffled as a whole before each epoch."""

import random

import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def make_batches(features, labels, size):
    batches = []
    for start in range(0, len(features), size):
        batches.append((features[start : start + size], labels[start : start + size]))
    return batches


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
random.seed(0)
torch.manual_seed(0)
x = torch.randn(100, 6)
batches = make_batches(x, (x[:, 0] > 0).long(), 16)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    random.shuffle(batches)
    for features, labels in (tuple(map(fill_and_share_rows, batch)) for batch in batches):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(features), labels)
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(f"epoch {epoch}")
del ddp_model
dist.destroy_process_group()
