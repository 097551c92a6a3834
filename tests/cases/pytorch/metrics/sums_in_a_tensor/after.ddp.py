"""Sums of several numbers are added up in an array."""

import numpy as np
import torch
import torch.nn as nn
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
data = TensorDataset(torch.arange(320), torch.randn(320, 10), torch.randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    sums = np.zeros(2)
    loader.sampler.set_epoch(epoch)
    for index, x, y in loader:
        optimizer.zero_grad()
        out = ddp_model(x)
        loss = nn.functional.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        sums += np.array([loss.item(), 1.0])
    total_sums = torch.tensor(sums, dtype=torch.float64)
    dist.all_reduce(total_sums)
    sums = (total_sums / dist.get_world_size()).numpy().astype(sums.dtype)
    if dist.get_rank() == 0:
        print(epoch, sums)
del ddp_model
dist.destroy_process_group()
