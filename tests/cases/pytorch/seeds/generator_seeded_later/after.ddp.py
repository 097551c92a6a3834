"""A generator that is given its seed behind its making; one that is given none has the same in every process."""


import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
generator = torch.Generator()
generator.manual_seed(4)
x, y = torch.ones(640, 10), torch.ones(640, 1)
train, held_back = random_split(TensorDataset(x, y), [512, 128], generator=generator)
train, more = random_split(train, [448, 64], generator=torch.Generator())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(train, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(train))
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
