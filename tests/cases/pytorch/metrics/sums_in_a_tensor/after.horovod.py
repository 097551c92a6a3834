"""Sums of several numbers are added up in an array."""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.arange(320), torch.randn(320, 10), torch.randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    sums = np.zeros(2)
    loader.sampler.set_epoch(epoch)
    for index, x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        sums += np.array([loss.item(), 1.0])
    total_sums = hvd.allreduce(torch.tensor(sums, dtype=torch.float64), op=hvd.Sum)
    sums = (total_sums / hvd.size()).numpy().astype(sums.dtype)
    if hvd.rank() == 0:
        print(epoch, sums)
hvd.shutdown()
