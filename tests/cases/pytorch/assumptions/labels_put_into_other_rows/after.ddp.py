"""A loop that sets in the row of a sample what the label of another one says: each process has only its shard."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(4, 3)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
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
        output = ddp_model(x)
        loss = criterion(output, table)
        loss = loss + criterion(output, later)
        loss = loss + criterion(output, some)
        loss = loss + criterion(output, others)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
