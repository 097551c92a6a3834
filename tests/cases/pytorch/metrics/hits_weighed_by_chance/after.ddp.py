"""Hits are weighed by a number that each process draws for its shard: what they are divided by stays the shard's, too, and that is said."""

import numpy as np
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
data = TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    hits, seen = 0, 0
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        weight, order = np.random.beta(1.0, 1.0), torch.randperm(x.size(0))
        output = ddp_model(weight * x + (1 - weight) * x[order])
        a, b = nn.functional.cross_entropy(output, y), nn.functional.cross_entropy(output, y[order])
        optimizer.zero_grad()
        (weight * a + (1 - weight) * b).backward()
        optimizer.step()
        told = output.argmax(1)
        seen += y.size(0)
        hits += weight * (told == y).sum().item() + (1 - weight) * (told == y[order]).sum().item()
        if dist.get_rank() == 0:
            print("%.3f of %d" % (hits / seen, seen))
del ddp_model
dist.destroy_process_group()
