"""A generator from which more is drawn than orders stays equal on all processes: workers' noise is, too, and that is said."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
g = torch.Generator().manual_seed(0)
x = torch.randn(96, 6, generator=g)
y = (x[:, 0] > 0).long()


class Noisy(Dataset):
    def __len__(self):
        return len(x)

    def __getitem__(self, i):
        return x[i] + 0.1 * torch.randn(6), y[i]


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


loader_data = Noisy()
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    loader_data,
    batch_size=12 // dist.get_world_size(),
    sampler=SharedSampler(RandomSampler(loader_data, generator=g)),
    num_workers=2,
    generator=g,
)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(a), b)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
