"""A list with a constructor and a width is looked up by a name that the command line gives, and taken apart."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, width), nn.ReLU())

    def forward(self, x):
        return self.net(x)


def narrow(**options):
    return Encoder(8, **options)


def wide(**options):
    return Encoder(32, **options)


hvd.init()
KNOWN = {"narrow": [narrow, 8], "wide": [wide, 32]}


class Net(nn.Module):
    def __init__(self, name):
        super().__init__()
        make, width = KNOWN[name]
        self.encoder = make()
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        return self.head(self.encoder(x))


parser = argparse.ArgumentParser()
parser.add_argument("--model", default="narrow")
args = parser.parse_args()

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = Net(args.model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
