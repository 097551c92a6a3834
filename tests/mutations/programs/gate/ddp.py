"""By hand: all processes end with the same status."""
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

torch.manual_seed(13)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
data = TensorDataset(x, y)
sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=16 // size, sampler=sampler)
model = nn.Linear(4, 2)
ddp_model = DistributedDataParallel(model)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for a, b in loader:
    optimizer.zero_grad()
    loss = criterion(ddp_model(a), b)
    loss.backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()

with torch.no_grad():
    correct = (model(x).argmax(1) == y).sum().item()
if rank == 0:
    print(f'{correct} of {len(x)} right')
if correct < len(x):
    sys.exit(3)
