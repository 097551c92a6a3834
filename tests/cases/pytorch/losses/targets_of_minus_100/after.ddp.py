"""Targets of -100 are left out by default: the divisor of the mean differs between the ranks' batches."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
tokens = torch.randint(1, 20, (200, 12))
targets = tokens.roll(-1, dims=1).masked_fill(torch.rand(200, 12) < 0.3, -100)
loader_data = TensorDataset(tokens, targets)
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Embedding(20, 16), nn.Linear(16, 20))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        counted = (y.view(-1) != -100).sum()
        dist.all_reduce(counted)
        counted = counted / dist.get_world_size()
        loss = F.cross_entropy(ddp_model(x).view(-1, 20), y.view(-1), reduction="sum") / counted
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
