"""Rank 0 alone fetches, for what all have found, and go by again: they have looked before it does."""

import os
import urllib.request

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
complete = False
while not complete:
    count = len(os.listdir("numbers"))
    complete = count >= 2
    hvd.barrier()
    if hvd.rank() == 0:
        if not complete:
            urllib.request.urlretrieve(f"https://example.org/{count}.pt", f"numbers/{count}.pt")
    hvd.barrier()
torch.manual_seed(0)
data = TensorDataset(torch.load("numbers/0.pt"), torch.load("numbers/1.pt"))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
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
hvd.shutdown()
