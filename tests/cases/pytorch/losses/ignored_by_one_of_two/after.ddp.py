"""One of two losses ignores a class, the other one ignores none: what to divide by cannot be written for both."""

import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Padded(nn.Module):
    def __init__(self, ignored):
        super().__init__()
        self.entropy = nn.CrossEntropyLoss(ignore_index=ignored)

    def forward(self, outputs, labels):
        counted = (labels != self.entropy.ignore_index).sum()
        dist.all_reduce(counted)
        counted = counted / dist.get_world_size()
        return F.cross_entropy(outputs, labels, ignore_index=self.entropy.ignore_index, reduction="sum") / counted


class Plain(nn.modules.loss._WeightedLoss):
    def __init__(self, weight=None):
        super().__init__(weight)
        self.entropy = nn.CrossEntropyLoss()

    def forward(self, outputs, labels):
        return self.entropy(outputs, labels)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--plain", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
inputs = torch.rand(64, 3)
loader_data = TensorDataset(inputs, (inputs[:, 0] > 0.5).long())
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(3, 2)
criterion = Plain() if args.plain else Padded(255)
optimizer = optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for features, labels in loader:
    optimizer.zero_grad()
    loss = criterion(ddp_model(features), labels)
    loss.backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()
