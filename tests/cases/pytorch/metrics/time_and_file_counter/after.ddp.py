"""Elapsed time and a counter of files read are no metrics: nothing is reduced, and they are printed once."""
import time
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
correct = 0
for path in Path("annotations").glob("*.txt"):
    if path.read_text().strip():
        correct += 1
if dist.get_rank() == 0:
    print(correct, "annotation files are not empty")

torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(1024, 32), torch.randint(0, 8, (1024,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(32, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
started = time.time()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    tick = time.time()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print("epoch %d took %.1f s" % (epoch, time.time() - tick))
if dist.get_rank() == 0:
    print("total %.1f s" % (time.time() - started))
del ddp_model
dist.destroy_process_group()
