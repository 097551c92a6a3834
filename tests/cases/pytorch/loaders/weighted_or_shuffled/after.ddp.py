"""One of three loaders is trained from: one draws by weights, one shuffles, one keeps the order."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
inputs = torch.randn(400, 5)
train_set = TensorDataset(inputs, inputs.sum(1, keepdim=True))


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


if "--balance" in sys.argv:
    if 40 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = SharedSampler(WeightedRandomSampler(torch.rand(400), 400))
    loader = DataLoader(train_set, batch_size=40 // dist.get_world_size(), sampler=loader_sampler)
elif "--shuffle" in sys.argv:
    if 40 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
    loader = DataLoader(
        train_set, batch_size=40 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(train_set))
    )
else:
    if 40 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(train_set, shuffle=False)
    loader = DataLoader(train_set, batch_size=40 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
