"""Data that is written where it is missing is written by rank 0, folder and all; nobody reads it before."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
if dist.get_rank() == 0:
    if not os.path.isfile("data/x.npy"):
        os.makedirs("data", exist_ok=True)
        np.save("data/x.npy", np.ones((320, 6), dtype=np.float32))
        np.save("data/y.npy", np.ones(320, dtype=np.float32))
dist.barrier()
loader_data = TensorDataset(torch.from_numpy(np.load("data/x.npy")))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (inputs,) in loader:
        loss = ddp_model(inputs).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
