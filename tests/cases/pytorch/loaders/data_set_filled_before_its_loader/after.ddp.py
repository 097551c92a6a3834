"""A data set has all of its rows when its loader is made; what it keeps of the samples that it gave does not tell its length."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Rollouts(Dataset):
    def __init__(self):
        self.rows = []
        self.seen = {}

    def load(self, name):
        self.rows += torch.load(name)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        self.seen[index] = True
        return self.rows[index][:6], self.rows[index][6:]


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
rollouts = Rollouts()
for name in ("a.pt", "b.pt"):
    rollouts.load(name)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(rollouts, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(rollouts))
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
