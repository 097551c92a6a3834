"""A generator that is given its seed behind its making; one that is given none has the same in every process."""


import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
generator = torch.Generator()
generator.manual_seed(4)
x, y = torch.ones(640, 10), torch.ones(640, 1)
train, held_back = random_split(TensorDataset(x, y), [512, 128], generator=generator)
train, more = random_split(train, [448, 64], generator=torch.Generator())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(train, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(train, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
