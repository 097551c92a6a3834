"""Two loaders are gone over together; an evaluation over some batches is made by every process."""

from itertools import cycle, islice

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
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
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
x = torch.randn(96, 5)
y = x.sum(1, keepdim=True)


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


labelled_data = TensorDataset(x[:32], y[:32])
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
labelled = DataLoader(
    labelled_data, batch_size=8 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(labelled_data))
)
unlabelled_data = TensorDataset(x[32:])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
unlabelled = DataLoader(
    unlabelled_data, batch_size=16 // dist.get_world_size(), sampler=SharedSampler(RandomSampler(unlabelled_data))
)
ordered_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
ordered_sampler = DistributedSampler(ordered_data, shuffle=False)
ordered = DataLoader(ordered_data, batch_size=16 // dist.get_world_size(), sampler=ordered_sampler)
test_loader = DataLoader(TensorDataset(x, y), batch_size=16)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    model.train()
    for i, ((inputs, targets), (others,)) in enumerate(zip(cycle(labelled), unlabelled)):
        loss = F.mse_loss(ddp_model(inputs), targets) + ddp_model(others).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    for (inputs, targets), (others, _) in zip(labelled, ordered):
        loss = F.mse_loss(ddp_model(inputs), targets) + ddp_model(others).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for inputs, targets in islice(test_loader, 3):
            total += F.mse_loss(model(inputs), targets, reduction="sum").item()
            count += len(targets)
    if dist.get_rank() == 0:
        print(epoch, total / count)
del ddp_model
dist.destroy_process_group()
