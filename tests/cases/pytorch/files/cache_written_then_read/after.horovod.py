"""Preprocessed data are written once and read by all: rank 0 first, then a barrier, then everyone reads."""
import os
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
CACHE = "features.npz"
if hvd.rank() != 0:
    hvd.barrier()
if not os.path.isfile(CACHE):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(640, 10)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    if hvd.rank() == 0:
        np.savez(CACHE, x=x, y=y)
if hvd.rank() == 0:
    hvd.barrier()
archive = np.load(CACHE)
data = TensorDataset(torch.from_numpy(archive["x"]), torch.from_numpy(archive["y"]))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(xb), yb).backward()
        optimizer.step()
hvd.shutdown()
