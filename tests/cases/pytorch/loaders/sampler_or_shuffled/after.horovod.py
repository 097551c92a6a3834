"""A loader shuffles where it is given no sampler; batches of one sample for batch normalisation are dropped."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--balance", action="store_true")
parser.add_argument("--keep-order", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
inputs = torch.randn(410, 5)
train_set = TensorDataset(inputs, inputs.sum(1, keepdim=True))
sampler = None
if args.balance:
    sampler = WeightedRandomSampler(torch.rand(410), 410)


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


if 40 % hvd.size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(sampler if sampler is not None else train_set) - 1) % 40 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = SharedSampler(sampler if sampler is not None else RandomSampler(train_set))
loader = DataLoader(train_set, batch_size=40 // hvd.size(), sampler=loader_sampler, num_workers=0)
if 40 % hvd.size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(sampler if sampler is not None else train_set) - 1) % 40 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
second_sampler = SharedSampler(
    sampler if sampler is not None else RandomSampler(train_set) if (not args.keep_order and sampler is None) else range(
        len(train_set)
    )
)
second = DataLoader(train_set, 40 // hvd.size(), False, sampler=second_sampler)
model = nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    for x, y in second:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
