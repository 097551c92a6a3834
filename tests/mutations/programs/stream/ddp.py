"""By hand: each process takes every N-th sample of the stream."""
from itertools import islice

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, IterableDataset

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()


class Stream(IterableDataset):
    def samples(self):
        for number in range(96):
            x = torch.linspace(-1, 1, 5) * (number % 7 - 3) + number / 96
            yield x, (x.sum() > 0.5).float().unsqueeze(0)

    def __iter__(self):
        return islice(self.samples(), rank, None, size)


torch.manual_seed(9)
loader = DataLoader(Stream(), batch_size=16 // size)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
ddp_model = DistributedDataParallel(model)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    total, batches = 0.0, 0
    for a, b in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(a), b)
        loss.backward()
        optimizer.step()
        total, batches = total + loss.item(), batches + 1
    total = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total)
    if rank == 0:
        print(f'epoch {epoch}: loss {total.item() / size / batches:.5f}')
del ddp_model
dist.destroy_process_group()
