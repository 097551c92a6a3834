"""A function makes two loaders of one training: rank 0 draws the orders of both, which begin differently."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = dist.get_rank() + len(indices)
        return (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + dist.get_world_size() - 1) // dist.get_world_size()


def shuffled(data, size):
    if size % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {size} cannot be shared out over {dist.get_world_size()} processes")
    return DataLoader(data, batch_size=size // dist.get_world_size(), sampler=SharedSampler(RandomSampler(data)))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
large, small = shuffled(data, 16), shuffled(data, 8)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    for x, y in large:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
    for x, y in small:
        optimizer.zero_grad()
        (0.5 * criterion(ddp_model(x), y)).backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
del ddp_model
dist.destroy_process_group()
