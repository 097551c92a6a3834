"""Weights clipped, averaged, a rate warmed up by batches, options set by the epoch: all equal, left alone."""

import copy

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
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)


def set_rate(opt, lr):
    for group in opt.param_groups:
        group["lr"] = lr


def initialise(layer):
    if isinstance(layer, nn.Linear):
        nn.init.xavier_uniform_(layer.weight)
        layer.bias.data.fill_(0.01)


model = nn.Sequential(nn.Linear(6, 16), nn.Dropout(0.0), nn.ReLU(), nn.Linear(16, 2))
model.apply(initialise)
average = copy.deepcopy(model)
for p in average.parameters():
    p.requires_grad_(False)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
step = 0
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    opt.param_groups[0].update(momentum=0.9 - 0.1 * epoch)
    setattr(model[1], "p", 0.1 * epoch)
    model[1].inplace = epoch > 1
    teacher = copy.deepcopy(model)
    for p in teacher.parameters():
        p.requires_grad = False
    loader.sampler.set_epoch(epoch)
    for i, (xb, yb) in enumerate(loader):
        step += 1
        if step < 20:
            set_rate(opt, 0.1 * step / 20)
        elif i == 5:
            for group in opt.param_groups:
                group["lr"] *= 0.9
        loss = nn.functional.cross_entropy(ddp_model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for p in model.parameters():
            p.data.clamp_(-1.0, 1.0)
        decay = min(0.999, (1 + step) / (10 + step))
        with torch.no_grad():
            for kept, p in zip(average.parameters(), model.parameters()):
                kept.mul_(decay).add_(p, alpha=1 - decay)
del ddp_model
dist.destroy_process_group()
