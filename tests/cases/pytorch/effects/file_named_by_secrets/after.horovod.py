"""A run named by chance: the folder of rank 0 is the one that is written."""
import os
import secrets

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
run = f"run-{secrets.token_hex(4)}-{secrets.randbelow(100)}"
if hvd.rank() == 0:
    os.makedirs(run)
x, y = torch.ones(640, 10), torch.ones(640, 1)
rows = range(512)
loader_data = TensorDataset(x[rows], y[rows])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
with open(f"{run}/rows.txt" if hvd.rank() == 0 else os.devnull, "w") as file:
    file.write(str(len(rows)))
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
