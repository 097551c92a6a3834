"""A function is given a teacher or ``None``, and asks which."""

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
data = TensorDataset(torch.randn(96, 4), torch.randn(96, 1))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))


def train(model, optimizer, teacher):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        wanted = y if teacher is None else teacher(x).detach()
        loss = nn.functional.mse_loss(model(x), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


large, small = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1)), nn.Linear(4, 1)
large_optimizer = torch.optim.SGD(large.parameters(), lr=0.05)
ddp_large = DistributedDataParallel(large)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train(ddp_large, large_optimizer, None)
del ddp_large
small_optimizer = torch.optim.SGD(small.parameters(), lr=0.05)
ddp_large = DistributedDataParallel(large)
ddp_small = DistributedDataParallel(small)
for epoch in range(2):
    train(ddp_small, small_optimizer, ddp_large)
del ddp_large
del ddp_small
dist.destroy_process_group()
