"""Seeds that are the time, or the process id, are another one in each process: all go on as rank 0 does."""
import os
import random
import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(int(time.time()))
seed_ = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed_)
np.random.seed(os.getpid())
np.random.set_state(hvd.broadcast_object(np.random.get_state()))
random.seed()
random.setstate(hvd.broadcast_object(random.getstate()))
x = torch.from_numpy(np.random.rand(128, 4)).float()
y = x.sum(1, keepdim=True) * random.choice([1, 2])
train, held_out = random_split(TensorDataset(x, y), [96, 32])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(train, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(train, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(torch.initial_seed() + hvd.rank())
    np.random.seed((torch.initial_seed() + hvd.rank()) % 2**32)
    random.seed((torch.initial_seed() + hvd.rank()) % 2**32)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_loss)
hvd.shutdown()
