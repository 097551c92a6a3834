"""Seeds that are the time, or the process id, are another one in each process: all go on as rank 0 does."""
import os
import random
import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(int(time.time()))
seed_ = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed_, src=0)
seed_ = seed_.item()
torch.manual_seed(seed_)
np.random.seed(os.getpid())
state = [np.random.get_state()]
dist.broadcast_object_list(state)
np.random.set_state(state[0])
random.seed()
state = [random.getstate()]
dist.broadcast_object_list(state)
random.setstate(state[0])
x = torch.from_numpy(np.random.rand(128, 4)).float()
y = x.sum(1, keepdim=True) * random.choice([1, 2])
train, held_out = random_split(TensorDataset(x, y), [96, 32])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(train, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(train))
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(torch.initial_seed() + dist.get_rank())
    np.random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
    random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), targets)
        loss.backward()
        optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_model
dist.destroy_process_group()
