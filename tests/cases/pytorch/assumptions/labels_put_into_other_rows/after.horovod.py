"""A loop that sets in the row of a sample what the label of another one says: each process has only its shard."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 3)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        row = 0
        table = torch.zeros(len(x), 3)
        for i in range(len(x)):
            table[row, y[i]] = 1
            row = i
        later = torch.zeros(len(x), 3)
        for i in range(1, len(x)):
            later[i, y[i]] = 1
        some = torch.zeros(len(x), 3)
        for i in range(len(x)):
            if i % 2:
                some[i, y[i]] = 1
        turned = torch.cat([y[4:], y[:4]])
        others = torch.zeros(len(x), 3)
        for i in range(len(x)):
            others[i, turned[i]] = 1
        output = model(x)
        loss = criterion(output, table)
        loss = loss + criterion(output, later)
        loss = loss + criterion(output, some)
        loss = loss + criterion(output, others)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
