"""Preprocessed data are written once and read by all: rank 0 first, then a barrier, then everyone reads."""
import os
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
CACHE = "features.npz"
if dist.get_rank() != 0:
    dist.barrier()
if not os.path.isfile(CACHE):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(640, 10)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    if dist.get_rank() == 0:
        np.savez(CACHE, x=x, y=y)
if dist.get_rank() == 0:
    dist.barrier()
archive = np.load(CACHE)
data = TensorDataset(torch.from_numpy(archive["x"]), torch.from_numpy(archive["y"]))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(xb), yb).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
