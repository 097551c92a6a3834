"""A defaultdict of sums is printed as a whole: its keys are not known, which must be refused."""
import json
import logging

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
torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64, 1)
loader_data = TensorDataset(x, y)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
from collections import defaultdict


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    stats = defaultdict(float)
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        out = ddp_model(a)
        loss = nn.functional.mse_loss(out, b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        stats["loss"] += loss.item() * len(a)
    total = torch.tensor(stats["loss"], dtype=torch.float64)
    dist.all_reduce(total)
    stats["loss"] = total.item()
    if dist.get_rank() == 0:
        print(dict(stats))
del ddp_model
dist.destroy_process_group()
