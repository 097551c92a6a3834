"""Blocks of a plain list: each gives a group, or their layers are added one by one; all that is stepped is averaged."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = []
        for _ in range(3):
            self.parts.append(Block())
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        for part in self.parts:
            x = torch.tanh(part(x))
        return self.out(x)


hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 8)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = Net()
groups = [{"params": part.parameters(), "lr": 0.2} for part in model.parts]
optimizer = torch.optim.SGD([{"params": model.parameters()}, *groups], lr=0.1)
other = Net()
params = list(other.parameters())
for part in other.parts:
    params += part.layer.parameters()
second = torch.optim.SGD(params, lr=0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
    hvd.broadcast_(parameter.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(a), b).backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
hvd.broadcast_parameters(other.state_dict(), root_rank=0)
for parameter in [p for group in second.param_groups for p in group["params"]]:
    hvd.broadcast_(parameter.data, root_rank=0)
for epoch in range(3):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for a, b in loader:
        second.zero_grad()
        nn.functional.cross_entropy(other(a), b).backward()
        hvd.grouped_allreduce_([p.grad for group in second.param_groups for p in group["params"] if p.grad is not None])
        second.step()
hvd.shutdown()
