"""Blocks of a plain list: each gives a group, or their layers are added one by one; all that is stepped is averaged."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = []
        for _ in range(3):
            self.parts.append(Block())
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        for part in self.parts:
            x = torch.tanh(part(x))
        return self.out(x)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(64, 8)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
groups = [{"params": part.parameters(), "lr": 0.2} for part in model.parts]
optimizer = torch.optim.SGD([{"params": model.parameters()}, *groups], lr=0.1)
other = Net()
params = list(other.parameters())
for part in other.parts:
    params += part.layer.parameters()
second = torch.optim.SGD(params, lr=0.1)
ddp_model = DistributedDataParallel(model)
for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
    dist.broadcast(parameter.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(a), b).backward()
        for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer.step()
del ddp_model
ddp_other = DistributedDataParallel(other)
for parameter in [p for group in second.param_groups for p in group["params"]]:
    dist.broadcast(parameter.data, src=0)
for epoch in range(3):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for a, b in loader:
        second.zero_grad()
        nn.functional.cross_entropy(ddp_other(a), b).backward()
        for parameter in [p for group in second.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        second.step()
del ddp_other
dist.destroy_process_group()
