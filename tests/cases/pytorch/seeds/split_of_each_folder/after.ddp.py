"""A loop that prepares the data draws from each folder: all processes draw the same, and list the same files."""
import os
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def read_split(root, rate=0.2):
    train, held = [], []
    for folder in sorted(os.listdir(root)):
        files = [os.path.join(root, folder, name) for name in os.listdir(os.path.join(root, folder))]
        files.sort()
        chosen = random.sample(files, k=int(len(files) * rate))
        for file in files:
            if file in chosen:
                held.append(file)
            else:
                train.append(file)
    if dist.get_rank() == 0:
        print(len(train), "for training")
    return train, held


class Files(Dataset):
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return torch.load(self.files[i])


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
random.seed(seed % 2**32)
train_files, held_files = read_split("data")
loader_data = Files(train_files)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
held_data = Files(held_files)
held_sampler = range(dist.get_rank(), len(held_data), dist.get_world_size())
held_loader = DataLoader(held_data, batch_size=8, sampler=held_sampler)
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(torch.initial_seed() + dist.get_rank())
    random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
for epoch in range(3):
    model.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in held_loader:
            total += nn.functional.mse_loss(model(x), y, reduction="sum").item()
            count += len(x)
        totals = torch.tensor([total, count], dtype=torch.float64)
        dist.all_reduce(totals)
        total, count = totals[0].item(), int(totals[1])
    if dist.get_rank() == 0:
        print(epoch, total / count)
del ddp_model
dist.destroy_process_group()
