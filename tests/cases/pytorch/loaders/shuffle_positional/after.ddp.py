"""Batch size and shuffle are given by position; shuffle cannot stay beside a sampler."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision.datasets import FashionMNIST
from torchvision.transforms import ToTensor
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
if dist.get_rank() == 0:
    FashionMNIST("./data", True, ToTensor(), download=True)
dist.barrier()
train_data = FashionMNIST("./data", True, ToTensor(), download=True)
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
train_loader = DataLoader(train_data, 64 // dist.get_world_size(), False, sampler=DistributedSampler(train_data))

net = nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 100), nn.ReLU(), nn.Linear(100, 10))
optimizer = torch.optim.Adam(net.parameters(), 0.001)
loss_func = nn.CrossEntropyLoss()

ddp_net = DistributedDataParallel(net)
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for step, (b_x, b_y) in enumerate(train_loader):
        loss = loss_func(ddp_net(b_x), b_y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(net, "net.pkl")
del ddp_net
dist.destroy_process_group()
