"""By hand: Horovod counts the backward passes."""
import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

hvd.init()
rank, size = hvd.rank(), hvd.size()

torch.manual_seed(1)
x = torch.randn(120, 6)
y = (x.sum(1) > 0).long()
data = TensorDataset(x, y)
sampler = DistributedSampler(data, num_replicas=size, rank=rank, drop_last=True)
loader = DataLoader(data, batch_size=12 // size, sampler=sampler, drop_last=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
STEPS = 3
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
optimizer = hvd.DistributedOptimizer(
    optimizer, named_parameters=model.named_parameters(), backward_passes_per_step=STEPS)

for epoch in range(2):
    sampler.set_epoch(epoch)
    total = 0.0
    for i, (a, b) in enumerate(loader):
        if i == len(loader) // STEPS * STEPS:
            total += criterion(model(a), b).item() / STEPS
            break
        loss = criterion(model(a), b) / STEPS
        loss.backward()
        total += loss.item()
        if (i + 1) % STEPS == 0:
            optimizer.step()
            optimizer.zero_grad()
    total = hvd.allreduce(torch.tensor(total, dtype=torch.float64))
    if rank == 0:
        print(f'epoch {epoch}: loss {total.item():.5f}')
