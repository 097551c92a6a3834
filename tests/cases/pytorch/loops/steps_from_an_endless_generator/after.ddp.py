"""An endless generator begins the loader again and again."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def endless(loader):
    while True:
        for batch in loader:
            yield batch


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
x = torch.randn(96, 5)
y = x.sum(1, keepdim=True)
data = TensorDataset(x, y)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


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


if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
batches = endless(DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(data))))
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for step in range(100):
    inputs, targets = next(batches)
    loss = nn.functional.mse_loss(ddp_model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
del ddp_model
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
larger = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(data)))
ddp_model = DistributedDataParallel(model)
for step, (inputs, targets) in enumerate(endless(larger)):
    if step == 50:
        break
    loss = nn.functional.mse_loss(ddp_model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()
