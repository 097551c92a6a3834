"""random_split with a seeded generator of its own is equal on all ranks already, and left alone."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
full = TensorDataset(torch.randn(500, 6), torch.randn(500, 1))
train_set, val_set = random_split(full, [400, 100], generator=torch.Generator().manual_seed(42))
if 40 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_set)
train_loader = DataLoader(train_set, batch_size=40 // dist.get_world_size(), sampler=train_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
