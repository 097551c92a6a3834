"""Rank 0 moves pictures into a folder, which a class derived from a library's lists when it is made."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Pictures(datasets.ImageFolder):
    def __getitem__(self, index):
        picture, label = super().__getitem__(index)
        return picture.mean((1, 2)), label


hvd.init()
os.makedirs("sorted/all", exist_ok=True)
for name in os.listdir("unsorted"):
    hvd.barrier()
    if hvd.rank() == 0:
        os.rename(os.path.join("unsorted", name), os.path.join("sorted/all", name))
hvd.barrier()
loader_data = Pictures("sorted", transforms.ToTensor())
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
