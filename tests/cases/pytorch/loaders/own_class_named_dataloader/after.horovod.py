"""The user's own class DataLoader reads files and is left alone; torch's is reached as data.DataLoader."""
import csv

import torch
from torch import nn, optim
from torch.utils import data
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler


class DataLoader:
    """Reads a table of numbers."""

    def __init__(self, path, shuffle=True):
        self.path = path
        self.shuffle = shuffle

    def load(self):
        with open(self.path) as f:
            rows = [[float(v) for v in row] for row in csv.reader(f)]
        return torch.tensor(rows)


hvd.init()
table = DataLoader("boston.csv", shuffle=True).load()
samples = data.TensorDataset(table[:, :-1], table[:, -1:])
if 10 % hvd.size() != 0:
    raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
batches_sampler = DistributedSampler(samples, num_replicas=hvd.size(), rank=hvd.rank())
batches = data.DataLoader(samples, batch_size=10 // hvd.size(), sampler=batches_sampler)

regression = nn.Linear(table.size(1) - 1, 1)
adam = optim.Adam(regression.parameters(), lr=0.01)
adam = hvd.DistributedOptimizer(adam, named_parameters=regression.named_parameters())
hvd.broadcast_parameters(regression.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(20):
    batches.sampler.set_epoch(epoch)
    for features, price in batches:
        adam.zero_grad()
        nn.functional.l1_loss(regression(features), price).backward()
        adam.step()
hvd.shutdown()
