"""A function looks for a file, which is written and drawn for where it finds none: all have looked before rank 0 writes."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def latest(folder):
    for name in sorted(os.listdir(folder), reverse=True):
        if name.startswith("teacher"):
            return os.path.join(folder, name)
    return None


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
path = latest("kept")
if path is not None:
    teacher = torch.load(path)
else:
    dist.barrier()
    teacher = torch.randn(6, 1)
    if dist.get_rank() == 0:
        torch.save(teacher, "kept/teacher.pt")
x = torch.randn(320, 6)
loader_data = TensorDataset(x, x @ teacher)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(inputs), targets).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
