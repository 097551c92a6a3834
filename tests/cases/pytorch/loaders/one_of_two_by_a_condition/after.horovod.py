"""Of two calls that make the loader only one is made in a run, by an arm or an early return: both have one seed."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--few", action="store_true")
parser.add_argument("--tuned", action="store_true")
args = parser.parse_args()


def tuning(data):
    if args.few:
        if 8 % hvd.size() != 0:
            raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
        return DataLoader(data, batch_size=8 // hvd.size(), sampler=DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), seed=1000))
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    return DataLoader(data, batch_size=16 // hvd.size(), sampler=DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), seed=1000))


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
if args.few:
    if 8 % hvd.size() != 0:
        raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
else:
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler)
after = tuning(data)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(2):
    after.sampler.set_epoch(epoch)
    for x, y in after:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
