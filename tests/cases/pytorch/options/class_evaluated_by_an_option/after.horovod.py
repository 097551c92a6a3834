"""A class of the script is evaluated by its name, which an option has by default: with another the program stops."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Flat(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, 1)

    def forward(self, x):
        return self.layer(x)


class Deep(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x)


hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--net", type=str, default="Flat")
parser.add_argument("--loss", default="nn.MSELoss")
args = parser.parse_args()

torch.manual_seed(1)
if args.net != "Flat":
    raise SystemExit("this program is for Flat only: convert the script again")
model = eval(args.net)(2)
if args.loss != "nn.MSELoss":
    raise SystemExit("this program is for nn.MSELoss only: convert the script again")
criterion = eval(args.loss)()
loader_data = TensorDataset(torch.randn(320, 2), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(1 + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
