"""The model is the class of this file that has the name that is asked for."""
import sys

import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Shallow(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(784, 10)

    def forward(self, x):
        return self.fc(x.flatten(1))


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.layers(x)


def make(name):
    if name not in globals():
        raise ValueError(f"no model {name}")
    return globals()[name]()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
model = make(sys.argv[1])
loader_data = datasets.MNIST("data", transform=transforms.ToTensor())
if 128 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=128 // dist.get_world_size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
