"""The data are fetched by urllib when missing: rank 0 fetches, a barrier, then all open the file."""
import os
import urllib.request
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
URL = "https://example.org/housing.csv"
if dist.get_rank() == 0:
    if not os.path.exists("housing.csv"):
        urllib.request.urlretrieve(URL, "housing.csv")
dist.barrier()
table = torch.tensor(np.loadtxt("housing.csv", delimiter=",", skiprows=1)).float()
loader_data = TensorDataset(table[:, :-1], table[:, -1:])
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(table.shape[1] - 1, 1)
optimizer = torch.optim.Adam(model.parameters())
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
