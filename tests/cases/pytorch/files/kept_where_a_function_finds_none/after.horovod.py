"""A function looks for a file, which is written and drawn for where it finds none: all have looked before rank 0 writes."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def latest(folder):
    for name in sorted(os.listdir(folder), reverse=True):
        if name.startswith("teacher"):
            return os.path.join(folder, name)
    return None


hvd.init()
torch.manual_seed(0)
path = latest("kept")
if path is not None:
    teacher = torch.load(path)
else:
    hvd.barrier()
    teacher = torch.randn(6, 1)
    if hvd.rank() == 0:
        torch.save(teacher, "kept/teacher.pt")
x = torch.randn(320, 6)
loader_data = TensorDataset(x, x @ teacher)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
hvd.shutdown()
