"""By hand: DDP has averaged the gradients when they are clipped."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

torch.manual_seed(2)
x = torch.randn(96, 6)
y = 3 * x @ torch.randn(6, 2)
data = TensorDataset(x, y)
sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=16 // size, sampler=sampler)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
ddp_model = DistributedDataParallel(model)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    sampler.set_epoch(epoch)
    total = 0.0
    for a, b in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(a), b)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        total += loss.item() * len(a)
    total = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total)
    if rank == 0:
        print(f'epoch {epoch}: loss {total.item() / len(loader.dataset):.5f}')
del ddp_model
dist.destroy_process_group()
