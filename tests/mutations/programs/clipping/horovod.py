"""By hand: with Horovod the average is waited for before the gradients are clipped."""
import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

hvd.init()
rank, size = hvd.rank(), hvd.size()

torch.manual_seed(2)
x = torch.randn(96, 6)
y = 3 * x @ torch.randn(6, 2)
data = TensorDataset(x, y)
sampler = DistributedSampler(data, num_replicas=size, rank=rank)
loader = DataLoader(data, batch_size=16 // size, sampler=sampler)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

for epoch in range(2):
    sampler.set_epoch(epoch)
    total = 0.0
    for a, b in loader:
        optimizer.zero_grad()
        loss = criterion(model(a), b)
        loss.backward()
        optimizer.synchronize()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        with optimizer.skip_synchronize():
            optimizer.step()
        total += loss.item() * len(a)
    total = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    if rank == 0:
        print(f'epoch {epoch}: loss {total.item() / len(loader.dataset):.5f}')
