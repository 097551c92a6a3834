"""Between epochs, items are shuffled in place and rows are drawn: rank 0 tells all processes which."""

import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
random.seed(0)
np.random.seed(0)
x = torch.randn(320, 64)
data = TensorDataset(x, (x[:, 0] > 0).long())
names = ["a", "b", "c"]
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
    random.seed(hvd.rank())
    np.random.seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    random.shuffle(names)
    names[:] = hvd.broadcast_object(names)
    rows = hvd.broadcast_object(np.random.permutation(320))[:50]
    model_result = model(x[rows])
    if hvd.rank() == 0:
        print(names, model_result.mean().item())
    test = Subset(data, hvd.broadcast_object(torch.randperm(320))[:100])
    hits = 0
    for inputs, labels in DataLoader(test, batch_size=50, sampler=range(hvd.rank(), len(test), hvd.size())):
        hits += (model(inputs).argmax(1) == labels).sum().item()
    total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
    hits = int(total)
    if hvd.rank() == 0:
        print(hits / len(test))
hvd.shutdown()
