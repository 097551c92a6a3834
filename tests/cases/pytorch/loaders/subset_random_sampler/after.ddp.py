"""SubsetRandomSampler splits training and validation over one data set."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.sampler import SubsetRandomSampler
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed_ = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed_, src=0)
seed_ = seed_.item()
torch.manual_seed(seed_)
data = TensorDataset(torch.randn(1000, 10), torch.randint(0, 2, (1000,)))
indices = list(range(len(data)))
np.random.seed(0)
np.random.shuffle(indices)
train_sampler = SubsetRandomSampler(indices[200:])
valid_sampler = SubsetRandomSampler(indices[:200])


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


if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
train_loader = DataLoader(data, batch_size=20 // dist.get_world_size(), sampler=SharedSampler(train_sampler))
valid_loader = DataLoader(data, batch_size=20, sampler=valid_sampler.indices)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed_ + dist.get_rank())
    np.random.seed(dist.get_rank())
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in valid_loader:
            hits += (model(x).argmax(1) == y).sum().item()
    if dist.get_rank() == 0:
        print(epoch, hits / len(valid_sampler))
del ddp_model
dist.destroy_process_group()
