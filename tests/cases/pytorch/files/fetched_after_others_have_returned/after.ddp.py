"""A function returns where a folder has pictures, else fetches them: all have looked before rank 0 does."""

import urllib.request
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
FOLDER = Path("numbers")


class Numbers(Dataset):
    def __init__(self):
        self.paths = sorted(FOLDER.glob("*.pt"))

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return torch.load(self.paths[index])


def prepare():
    if len(list(FOLDER.glob("*.pt"))) >= 100:
        return
    dist.barrier()
    for number in range(100):
        if dist.get_rank() == 0:
            urllib.request.urlretrieve(f"https://example.org/{number}.pt", f"numbers/{number}.pt")
        dist.barrier()


prepare()
torch.manual_seed(0)
loader_data = Numbers()
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for numbers in loader:
        optimizer.zero_grad()
        (ddp_model(numbers) - numbers.sum(1, keepdim=True)).pow(2).mean().backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
