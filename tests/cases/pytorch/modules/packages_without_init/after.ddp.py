"""Packages without __init__.py are found as Python finds them, whatever the spelling of the import."""

import pkg.layers
import torch
from pkg import net
from pkg.sub import data
from torch import nn
from torch.utils.data import DataLoader
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = data.numbers()
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(net.Net(), pkg.layers.Last())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
