"""seed is a column of plants here and manual_seed the user's own function: neither seeds anything."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def manual_seed(weight):
    return weight * 1000


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed_ = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed_, src=0)
seed_ = seed_.item()
torch.manual_seed(seed_)
seed = torch.rand(300, 7)
if dist.get_rank() == 0:
    print("heaviest", manual_seed(seed.max().item()), "mg")
loader_data = TensorDataset(seed, (seed.sum(1) > 3.5).long())
if 30 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=30 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(7, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed_ + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
