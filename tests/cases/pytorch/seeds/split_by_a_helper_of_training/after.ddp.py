"""A helper that draws in a loop is called between epochs, too: rank 0 tells what it has drawn."""
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Subset, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
random.seed(0)
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))


def chosen():
    rows = []
    for start in range(0, 64, 16):
        shared = [random.sample(range(start, start + 16), k=8)]
        dist.broadcast_object_list(shared)
        rows.extend(shared[0])
    return rows


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
rows = chosen()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
    random.seed(dist.get_rank())
for epoch in range(3):
    loader_data = Subset(data, rows)
    if 8 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
    for x, y in DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(loader_data, shuffle=False)):
        loss = nn.functional.mse_loss(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    rows = chosen()
del ddp_model
dist.destroy_process_group()
