"""Files that only rank 0 writes keep the names that each process makes up: nobody reads them."""

import logging
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
stamp = time.strftime("%Y%m%d-%H%M%S")
if dist.get_rank() == 0:
    logging.basicConfig(filename=f"train-{stamp}.log", level=logging.INFO)
torch.manual_seed(0)
x = torch.randn(320, 6)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
started = time.time()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
    if dist.get_rank() == 0:
        logging.info("epoch %d after %.1f s", epoch, time.time() - started)
if dist.get_rank() == 0:
    torch.save(model.state_dict(), f"model-{stamp}.pt")
del ddp_model
dist.destroy_process_group()
