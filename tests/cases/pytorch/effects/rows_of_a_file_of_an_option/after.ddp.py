"""Rows go into a file that is opened where an option says so: they are wholes, and what writes them is no shard's."""

import argparse
import csv

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

class Mean:
    def __init__(self):
        self.total, self.count, self.value = 0.0, 0, 0.0

    def add(self, value, count):
        self.total += value * count
        self.count += count
        self.value = self.total / self.count


def train():
    mean = Mean()
    for inputs, labels in loader:
        loss = nn.functional.cross_entropy(ddp_model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean.add(loss.item(), len(inputs))
    return mean.value


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--log", default="log.csv")
args = parser.parse_args()
if args.log:
    log = open(args.log if dist.get_rank() == 0 else os.devnull, "w")
torch.manual_seed(0)
x = torch.randn(320, 6)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with log as output:
    writer = csv.writer(output)
    writer.writerow(["epoch", "loss"])
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        loss = train()
        total_ = torch.tensor(loss, dtype=torch.float64)
        dist.all_reduce(total_)
        mean_loss = total_.item() / dist.get_world_size()
        writer.writerow([epoch, mean_loss])
del ddp_model
dist.destroy_process_group()
