"""A function draws pairs of pictures, and says of each pair whether it is of one class: a tuple in a tuple."""

import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def pairs(x, y, size):
    left, right = torch.randint(len(x), (size,)), torch.randint(len(x), (size,))
    return (x[left], x[right]), (y[left] == y[right]).float()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(120, 6)
y = (x[:, 0] > 0).long()
model = nn.Linear(6, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def share_rows(batch):
    if isinstance(batch, tuple):
        return tuple(map(share_rows, batch))
    if len(batch) % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
    rows = len(batch) // dist.get_world_size()
    return batch[dist.get_rank() * rows :][:rows]


ddp_model = DistributedDataParallel(model)
for step in range(20):
    (left, right), same = share_rows(pairs(x, y, 16))
    distance = (ddp_model(left) - ddp_model(right)).pow(2).sum(dim=1)
    loss = nn.functional.binary_cross_entropy_with_logits(-distance, same)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()
