"""A data set's files are sorted where samples are known by their places; a set of names that is sorted stays."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Recordings(Dataset):
    def __init__(self, folder):
        self.folder = folder
        self.names = [name for name in sorted(os.listdir(folder)) if name.endswith(".pt")]
        self.speakers = sorted({name.split("_")[0] for name in os.listdir(folder)})

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        name = self.names[index]
        return torch.load(os.path.join(self.folder, name)), self.speakers.index(name.split("_")[0])


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = Recordings("data")
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
