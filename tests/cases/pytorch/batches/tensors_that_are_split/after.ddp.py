"""Inputs and labels are put in a new order and split into batches in each epoch."""

import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(100, 6)
y = (x[:, 0] > 0).long()
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    order = torch.randperm(len(x))
    for features, labels in (tuple(map(fill_and_share_rows, batch)) for batch in zip(x[order].split(16), y[order].split(16))):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(features), labels)
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(f"epoch {epoch}")
del ddp_model
dist.destroy_process_group()
