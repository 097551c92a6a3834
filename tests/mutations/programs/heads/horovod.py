"""By hand: each optimizer has its own parameters and names."""
import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

hvd.init()
rank, size = hvd.rank(), hvd.size()

torch.manual_seed(12)
x = torch.randn(96, 6)
y = (x[:, 0] * x[:, 1] > 0).long()
data = TensorDataset(x, y)
sampler = DistributedSampler(data, num_replicas=size, rank=rank)
loader = DataLoader(data, batch_size=16 // size, sampler=sampler)
body = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
head = nn.Linear(16, 2)
criterion = nn.CrossEntropyLoss()
body_optimizer = torch.optim.SGD(body.parameters(), lr=0.1, momentum=0.9)
head_optimizer = torch.optim.Adam(head.parameters(), lr=0.01)
body_names = [('body.' + name, parameter) for name, parameter in body.named_parameters()]
head_names = [('head.' + name, parameter) for name, parameter in head.named_parameters()]
hvd.broadcast_parameters(dict(body_names + head_names), root_rank=0)
body_optimizer = hvd.DistributedOptimizer(body_optimizer, named_parameters=body_names)
head_optimizer = hvd.DistributedOptimizer(head_optimizer, named_parameters=head_names)

for epoch in range(2):
    sampler.set_epoch(epoch)
    total = 0.0
    for a, b in loader:
        body_optimizer.zero_grad()
        head_optimizer.zero_grad()
        loss = criterion(head(body(a)), b)
        loss.backward()
        body_optimizer.step()
        head_optimizer.step()
        total += loss.item()
    total = hvd.allreduce(torch.tensor(total, dtype=torch.float64))
    if rank == 0:
        print(f'epoch {epoch}: loss {total.item() / len(loader):.5f}')
