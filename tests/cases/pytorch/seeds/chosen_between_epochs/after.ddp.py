"""Between epochs, items are shuffled in place and rows are drawn: rank 0 tells all processes which."""

import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
random.seed(0)
np.random.seed(0)
x = torch.randn(320, 64)
data = TensorDataset(x, (x[:, 0] > 0).long())
names = ["a", "b", "c"]
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
    random.seed(dist.get_rank())
    np.random.seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(inputs), labels).backward()
        optimizer.step()
    random.shuffle(names)
    shared = [names]
    dist.broadcast_object_list(shared)
    names[:] = shared[0]
    shared = [np.random.permutation(320)]
    dist.broadcast_object_list(shared)
    rows = shared[0][:50]
    model_result = model(x[rows])
    if dist.get_rank() == 0:
        print(names, model_result.mean().item())
    shared = [torch.randperm(320)]
    dist.broadcast_object_list(shared)
    test = Subset(data, shared[0][:100])
    hits = 0
    for inputs, labels in DataLoader(test, batch_size=50, sampler=range(dist.get_rank(), len(test), dist.get_world_size())):
        hits += (model(inputs).argmax(1) == labels).sum().item()
    total = torch.tensor(hits, dtype=torch.float64)
    dist.all_reduce(total)
    hits = int(total)
    if dist.get_rank() == 0:
        print(hits / len(test))
del ddp_model
dist.destroy_process_group()
