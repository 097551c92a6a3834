"""Rows go into a file that is opened where an option says so: they are wholes, and what writes them is no shard's."""

import argparse
import csv

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler

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
        loss = nn.functional.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean.add(loss.item(), len(inputs))
    return mean.value


hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--log", default="log.csv")
args = parser.parse_args()
if args.log:
    log = open(args.log if hvd.rank() == 0 else os.devnull, "w")
torch.manual_seed(0)
x = torch.randn(320, 6)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
with log as output:
    writer = csv.writer(output)
    writer.writerow(["epoch", "loss"])
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        loss = train()
        total_ = hvd.allreduce(torch.tensor(loss, dtype=torch.float64), op=hvd.Sum)
        mean_loss = total_.item() / hvd.size()
        writer.writerow([epoch, mean_loss])
hvd.shutdown()
