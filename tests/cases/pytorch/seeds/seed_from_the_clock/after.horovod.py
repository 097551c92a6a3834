"""A seed from the clock differs between processes: all go on with that of rank 0."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import time, os
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(int(time.time()))
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
full = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
tr, va = random_split(full, [256, 64])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(tr, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(tr, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(torch.initial_seed() + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
