"""A WeightedRandomSampler balances the classes: a plain distributed sampler would drop it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
labels = (torch.rand(1000) < 0.05).long()
weights = torch.where(labels == 1, 20.0, 1.0)
sampler = WeightedRandomSampler(weights, num_samples=len(weights), replacement=True)


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


if 50 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    TensorDataset(torch.randn(1000, 10), labels), batch_size=50 // dist.get_world_size(), sampler=SharedSampler(sampler)
)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
