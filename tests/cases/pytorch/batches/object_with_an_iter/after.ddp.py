"""An object of the script's own makes an epoch of batches each time a loop begins."""

import numpy as np
import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Batches:
    def __init__(self, features, labels, size):
        self.features, self.labels, self.size = features, labels, size

    def __len__(self):
        return -(-len(self.features) // self.size)

    def __iter__(self):
        order = np.random.permutation(len(self.features))
        for start in range(0, len(order), self.size):
            rows = order[start : start + self.size]
            yield self.features[rows], self.labels[rows]


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
np.random.seed(1)
torch.manual_seed(1)
x = torch.randn(120, 6)
y = (x[:, 0] > 0).long()
batches = Batches(x, y, 16)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(1 + dist.get_rank())
for epoch in range(3):
    for number, (features, labels) in enumerate((tuple(map(fill_and_share_rows, batch)) for batch in batches)):
        optimizer.zero_grad()
        loss = criterion(ddp_model(features), labels)
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: {len(batches)} batches")
del ddp_model
dist.destroy_process_group()
