"""Batch normalisation behind convolutions along time has a value for each step: a last batch of one sample is enough."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Texts(Dataset):
    def __len__(self):
        return 65

    def __getitem__(self, index):
        return torch.arange(index, index + 12) % 20, index % 3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.blocks = nn.Sequential(
            *[nn.Sequential(nn.Conv1d(8, 8, 3, padding=1), nn.ReLU(), nn.BatchNorm1d(8)) for _ in range(2)]
        )
        self.conv = nn.Conv1d(8, 8, 3, padding=1)
        self.norm = nn.BatchNorm1d(8)
        self.conv2 = nn.Conv1d(8, 8, 3, padding=1)
        self.norm2 = nn.BatchNorm1d(8)
        self.head = nn.Linear(96, 3)

    def forward(self, x):
        x = self.embedding(x).transpose(2, 1)
        x = self.blocks(x)
        x = self.norm(F.relu(self.conv(x)))
        x = self.conv2(x)
        x = self.norm2(x)
        return self.head(x.flatten(1))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = Texts()
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
del ddp_model
dist.destroy_process_group()
