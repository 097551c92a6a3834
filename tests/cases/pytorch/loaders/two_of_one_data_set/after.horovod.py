"""Two loaders go over one data set in each epoch: the second one begins with an order of its own."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
torch.manual_seed(args.seed)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
large_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), seed=args.seed)
large = DataLoader(data, batch_size=16 // hvd.size(), sampler=large_sampler)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
small_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), seed=args.seed + 1000)
small = DataLoader(data, batch_size=8 // hvd.size(), sampler=small_sampler)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
sorted_ones_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False, seed=args.seed)
sorted_ones = DataLoader(data, batch_size=8 // hvd.size(), sampler=sorted_ones_sampler)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(args.seed + hvd.rank())
for epoch in range(3):
    large.sampler.set_epoch(epoch)
    for x, y in large:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    small.sampler.set_epoch(epoch)
    for x, y in small:
        optimizer.zero_grad()
        (0.5 * criterion(model(x), y)).backward()
        optimizer.step()
    sorted_ones.sampler.set_epoch(epoch)
    for x, y in sorted_ones:
        optimizer.zero_grad()
        (0.1 * criterion(model(x), y)).backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
