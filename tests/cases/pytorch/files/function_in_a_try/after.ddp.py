"""A function makes a file where it is missing; where it fails, it is called again with another path."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def make(path, rows):
    if os.path.exists(path):
        if dist.get_rank() == 0:
            print(f"{path} is there")
        return
    if dist.get_rank() == 0:
        np.save("part.npy", np.arange(4.0 * rows).reshape(rows, 4) / 100)
        os.rename("part.npy", path)
        print(f"{path} is made")


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
if dist.get_rank() != 0:
    dist.barrier()
try:
    make("rows.npy", 40)
except OSError as error:
    if dist.get_rank() == 0:
        print(error)
    make("rows.npy", 8)
if dist.get_rank() == 0:
    dist.barrier()
features = torch.tensor(np.load("rows.npy"), dtype=torch.float32)
loader_data = TensorDataset(features, features.sum(1, keepdim=True))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: {total / len(loader):.4f}")
del ddp_model
dist.destroy_process_group()

