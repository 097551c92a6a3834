"""Which data set is downloaded, a name says: no other one is."""

import argparse

import torch
from torch import nn
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
parser = argparse.ArgumentParser()
parser.add_argument("--data", default="mnist")
args = parser.parse_args()


def rank_0_first(make):
    made = make() if dist.get_rank() == 0 else None
    dist.barrier()
    return made if dist.get_rank() == 0 else make()


def dataset(name):
    known = {
        "mnist": lambda: rank_0_first(lambda: datasets.MNIST("data", train=True, transform=transforms.ToTensor(), download=True)),
        "fashion": lambda: rank_0_first(lambda: datasets.FashionMNIST("data", train=True, transform=transforms.ToTensor(), download=True)),
    }
    return known[name]()


def test_data():
    return rank_0_first(lambda: datasets.MNIST("data", train=False, transform=transforms.ToTensor(), download=True))


torch.manual_seed(0)
loader_data = dataset(args.data)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
test_loader = DataLoader(test_data(), batch_size=64)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for images, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(images), labels).backward()
        optimizer.step()
    with torch.no_grad():
        correct = sum((model(x).argmax(1) == y).sum().item() for x, y in test_loader)
    if dist.get_rank() == 0:
        print(epoch, correct / len(test_loader.dataset))
del ddp_model
dist.destroy_process_group()
