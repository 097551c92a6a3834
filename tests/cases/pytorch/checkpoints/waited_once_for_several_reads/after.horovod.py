"""All wait once in front of a condition or a loop in which files are read, and again where one is written in between."""

import os
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
path = sys.argv[1]
model = nn.Linear(64, 2)
if hvd.rank() == 0:
    torch.save(model.state_dict(), "first.pt")
hvd.barrier()
if os.path.exists(path):
    model.load_state_dict(torch.load(path))
for name in ("first.pt", path):
    if hvd.rank() == 0:
        if os.path.exists(name):
            print(name, torch.load(name)["bias"])
x = torch.randn(320, 64)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    for name in ("a.pt", "b.pt"):
        if hvd.rank() == 0:
            torch.save(model.state_dict(), name)
        hvd.barrier()
        saved = torch.load(name)
        hvd.barrier()
        if hvd.rank() == 0:
            print(saved["bias"])
hvd.shutdown()
