"""One of two losses ignores a class, the other one ignores none: what to divide by cannot be written for both."""

import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import torch.nn.functional as F
from torch.utils.data.distributed import DistributedSampler


class Padded(nn.Module):
    def __init__(self, ignored):
        super().__init__()
        self.entropy = nn.CrossEntropyLoss(ignore_index=ignored)

    def forward(self, outputs, labels):
        counted = hvd.allreduce((labels != self.entropy.ignore_index).sum(), op=hvd.Sum)
        counted = counted / hvd.size()
        return F.cross_entropy(outputs, labels, ignore_index=self.entropy.ignore_index, reduction="sum") / counted


class Plain(nn.modules.loss._WeightedLoss):
    def __init__(self, weight=None):
        super().__init__(weight)
        self.entropy = nn.CrossEntropyLoss()

    def forward(self, outputs, labels):
        return self.entropy(outputs, labels)


hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--plain", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
inputs = torch.rand(64, 3)
loader_data = TensorDataset(inputs, (inputs[:, 0] > 0.5).long())
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(3, 2)
criterion = Plain() if args.plain else Padded(255)
optimizer = optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
hvd.broadcast_parameters(criterion.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for features, labels in loader:
    optimizer.zero_grad()
    loss = criterion(model(features), labels)
    loss.backward()
    optimizer.step()
hvd.shutdown()
