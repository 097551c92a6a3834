"""Layers handed to nn.Sequential by a star are of several classes, one of which subtracts the mean of the batch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def mean_over_processes(value):
    return hvd.allreduce(value, op=hvd.Sum) / hvd.size()


class Center(nn.Module):
    def forward(self, x):
        return x - mean_over_processes(x.mean(0))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [nn.Linear(10, 8)]
        for i in range(2):
            layers.append(Center())
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(8, 2)
    def forward(self, x):
        return self.head(self.body(x))
hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    if hvd.rank() == 0:
        print(epoch)
hvd.shutdown()
