"""Rank 0 moves pictures into a folder, which a class derived from a library's lists when it is made."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Pictures(datasets.ImageFolder):
    def __getitem__(self, index):
        picture, label = super().__getitem__(index)
        return picture.mean((1, 2)), label


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
os.makedirs("sorted/all", exist_ok=True)
for name in os.listdir("unsorted"):
    dist.barrier()
    if dist.get_rank() == 0:
        os.rename(os.path.join("unsorted", name), os.path.join("sorted/all", name))
dist.barrier()
loader_data = Pictures("sorted", transforms.ToTensor())
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
