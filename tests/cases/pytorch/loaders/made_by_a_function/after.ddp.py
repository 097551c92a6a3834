"""A function makes both loaders and returns them as a tuple; shuffle is an expression over its parameter."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def make_loader(split, batch_size):
    if dist.get_rank() == 0:
        datasets.MNIST("data", train=split == "train", download=True)
    dist.barrier()
    dataset = datasets.MNIST("data", train=split == "train", download=True, transform=transforms.ToTensor())
    if split == "train":
        if batch_size % dist.get_world_size() != 0:
            raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
        sampler = DistributedSampler(dataset)
        share = batch_size // dist.get_world_size()
    else:
        sampler = range(dist.get_rank(), len(dataset), dist.get_world_size())
        share = batch_size
    return DataLoader(dataset, batch_size=share, sampler=sampler)


def get_loaders(batch_size=100):
    return make_loader("train", batch_size), make_loader("test", batch_size)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
train_dl, test_dl = get_loaders()
net = nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = optim.SGD(net.parameters(), lr=0.1)

ddp_net = DistributedDataParallel(net)
for epoch in range(2):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.CrossEntropyLoss()(ddp_net(x), y).backward()
        optimizer.step()
    right = sum_of = 0
    with torch.no_grad():
        for x, y in test_dl:
            right += (net(x).argmax(1) == y).sum().item()
            sum_of += len(y)
        totals = torch.tensor([right, sum_of], dtype=torch.float64)
        dist.all_reduce(totals)
        right, sum_of = int(totals[0]), int(totals[1])
    if dist.get_rank() == 0:
        print(epoch, right / sum_of)
del ddp_net
dist.destroy_process_group()
