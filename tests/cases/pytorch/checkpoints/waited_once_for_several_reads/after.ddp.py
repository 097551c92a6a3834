"""All wait once in front of a condition or a loop in which files are read, and again where one is written in between."""

import os
import sys

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
path = sys.argv[1]
model = nn.Linear(64, 2)
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "first.pt")
dist.barrier()
if os.path.exists(path):
    model.load_state_dict(torch.load(path))
for name in ("first.pt", path):
    if dist.get_rank() == 0:
        if os.path.exists(name):
            print(name, torch.load(name)["bias"])
x = torch.randn(320, 64)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
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
    for name in ("a.pt", "b.pt"):
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), name)
        dist.barrier()
        saved = torch.load(name)
        dist.barrier()
        if dist.get_rank() == 0:
            print(saved["bias"])
del ddp_model
dist.destroy_process_group()
