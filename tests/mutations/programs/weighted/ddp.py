"""By hand: all processes draw the same numbers, and each takes every N-th."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Sampler, TensorDataset, WeightedRandomSampler

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()


class Share(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __len__(self):
        return len(self.sampler) // size

    def __iter__(self):
        return iter(list(self.sampler)[rank::size])


torch.manual_seed(10)
x = torch.randn(120, 6)
y = (x[:, 0] > 1).long()
weights = torch.where(y == 1, 5.0, 1.0)
data = TensorDataset(x, y)
sampler = Share(WeightedRandomSampler(weights, len(x), generator=torch.Generator().manual_seed(10)))
loader = DataLoader(data, batch_size=20 // size, sampler=sampler)
model = nn.Linear(6, 2)
ddp_model = DistributedDataParallel(model)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    total = 0.0
    for a, b in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item()
    total = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total)
    if rank == 0:
        print(f'epoch {epoch}: loss {total.item() / size / len(loader):.5f}')
del ddp_model
dist.destroy_process_group()
