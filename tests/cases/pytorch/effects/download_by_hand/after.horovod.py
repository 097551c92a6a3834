"""The data are fetched by urllib when missing: rank 0 fetches, a barrier, then all open the file."""
import os
import urllib.request
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
URL = "https://example.org/housing.csv"
if hvd.rank() == 0:
    if not os.path.exists("housing.csv"):
        urllib.request.urlretrieve(URL, "housing.csv")
hvd.barrier()
table = torch.tensor(np.loadtxt("housing.csv", delimiter=",", skiprows=1)).float()
loader_data = TensorDataset(table[:, :-1], table[:, -1:])
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(table.shape[1] - 1, 1)
optimizer = torch.optim.Adam(model.parameters())
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
