"""A function may be looked up by a text that is not known: what it calls, and prints, is told of."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def described():
    summary()


def summary():
    print("a linear layer")


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
globals()[sys.stdin.encoding + sys.platform]()
del ddp_model
dist.destroy_process_group()
