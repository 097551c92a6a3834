"""Rank 0 alone fetches, for what all have found, and go by again: they have looked before it does."""

import os
import urllib.request

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
complete = False
while not complete:
    count = len(os.listdir("numbers"))
    complete = count >= 2
    dist.barrier()
    if dist.get_rank() == 0:
        if not complete:
            urllib.request.urlretrieve(f"https://example.org/{count}.pt", f"numbers/{count}.pt")
    dist.barrier()
torch.manual_seed(0)
data = TensorDataset(torch.load("numbers/0.pt"), torch.load("numbers/1.pt"))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(inputs), labels).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
