"""A seed that is left out is set under another condition, too: all processes go on from the state that rank 0 takes."""
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed_ = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed_, src=0)
seed_ = seed_.item()
random.seed(seed_ % 2**32)
torch.manual_seed(0)

def show(n, seed=None):
    if seed or n > 3:
        random.seed(seed)
        state = [random.getstate()]
        dist.broadcast_object_list(state)
        random.setstate(state[0])
    sample_result = random.sample(range(10), k=n)
    if dist.get_rank() == 0:
        print(sample_result)


show(4)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 4 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=4 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
    random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(xb), yb)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
