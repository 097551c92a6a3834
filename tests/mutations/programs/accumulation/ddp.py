"""By hand: only the last of three backward passes synchronises."""
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

torch.manual_seed(1)
x = torch.randn(120, 6)
y = (x.sum(1) > 0).long()
data = TensorDataset(x, y)
sampler = DistributedSampler(data, drop_last=True)
loader = DataLoader(data, batch_size=12 // size, sampler=sampler, drop_last=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
ddp_model = DistributedDataParallel(model)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
STEPS = 3

for epoch in range(2):
    sampler.set_epoch(epoch)
    total = 0.0
    optimizer.zero_grad()
    for i, (a, b) in enumerate(loader):
        last = (i + 1) % STEPS == 0
        with nullcontext() if last else ddp_model.no_sync():
            loss = criterion(ddp_model(a), b) / STEPS
            loss.backward()
        total += loss.item()
        if last:
            optimizer.step()
            optimizer.zero_grad()
    total = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total)
    if rank == 0:
        print(f'epoch {epoch}: loss {total.item() / size:.5f}')
del ddp_model
dist.destroy_process_group()
