"""A first pass over another loader computes mean and deviation of the data: it trains nothing, and every rank needs the same values."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
if dist.get_rank() == 0:
    datasets.CIFAR10("data", train=True, download=True)
dist.barrier()
raw = datasets.CIFAR10("data", train=True, download=True, transform=transforms.ToTensor())
stats_loader = DataLoader(raw, batch_size=500, shuffle=False)
mean = torch.zeros(3)
std = torch.zeros(3)
count = 0
for images, _ in stats_loader:
    flat = images.view(images.size(0), 3, -1)
    mean += flat.mean(2).sum(0)
    std += flat.std(2).sum(0)
    count += images.size(0)
mean /= count
std /= count
if dist.get_rank() == 0:
    print("mean", mean, "std", std)

tf = transforms.Compose([transforms.ToTensor(), transforms.Normalize(mean.tolist(), std.tolist())])
train_set = datasets.CIFAR10("data", train=True, transform=tf)
if 100 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 100 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_set)
train_loader = DataLoader(train_set, batch_size=100 // dist.get_world_size(), sampler=train_sampler)
model = nn.Sequential(nn.Flatten(), nn.Linear(3072, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
