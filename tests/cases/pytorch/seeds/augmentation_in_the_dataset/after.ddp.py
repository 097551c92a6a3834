"""The data set augments with NumPy and random: noise, which must not be equal on all ranks."""
import random
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
np.random.seed(0)
random.seed(0)
torch.manual_seed(0)


class Waves(Dataset):
    def __init__(self, n):
        self.phase = np.linspace(0, 6.28, n)

    def __len__(self):
        return len(self.phase)

    def __getitem__(self, i):
        t = np.arange(32)
        wave = np.sin(0.2 * t + self.phase[i]) + np.random.normal(scale=0.1, size=32)
        if random.random() < 0.5:
            wave = wave[::-1].copy()
        return torch.from_numpy(wave).float(), torch.tensor([self.phase[i]]).float()


loader_data = Waves(800)
if 40 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=40 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(32, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
    np.random.seed(dist.get_rank())
    random.seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
