"""Two loaders go over one data set in each epoch: the second one begins with an order of its own."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
torch.manual_seed(args.seed)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
large_sampler = DistributedSampler(data, seed=args.seed)
large = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=large_sampler)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
small_sampler = DistributedSampler(data, seed=args.seed + 1000)
small = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=small_sampler)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
sorted_ones_sampler = DistributedSampler(data, shuffle=False, seed=args.seed)
sorted_ones = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=sorted_ones_sampler)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(args.seed + dist.get_rank())
for epoch in range(3):
    large.sampler.set_epoch(epoch)
    for x, y in large:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
    small.sampler.set_epoch(epoch)
    for x, y in small:
        optimizer.zero_grad()
        (0.5 * criterion(ddp_model(x), y)).backward()
        optimizer.step()
    sorted_ones.sampler.set_epoch(epoch)
    for x, y in sorted_ones:
        optimizer.zero_grad()
        (0.1 * criterion(ddp_model(x), y)).backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
del ddp_model
dist.destroy_process_group()
