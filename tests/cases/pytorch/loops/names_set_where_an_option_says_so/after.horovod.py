"""Two options decide what a batch sets, and what is read of it: no batch sees what the one before has left."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def shifted(batch):
    batch = batch - batch.mean(1, keepdim=True)
    return batch * 0.5


def train(model, loader, optimizer, args):
    for x, y in loader:
        if args.turned:
            other = x.flip(1)
        if args.kind in ("weighed", "both"):
            x, weight = x * 2, x.pow(2).mean(1)
        optimizer.zero_grad()
        output = model(x).squeeze(1)
        loss = (output - y).pow(2).mean()
        if args.turned:
            loss = loss + (model(shifted(other)).squeeze(1) - y).pow(2).mean()
        if args.kind == "weighed":
            loss = loss + (weight * output).mean()
        loss.backward()
        optimizer.step()


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
parser = argparse.ArgumentParser()
parser.add_argument("--turned", action="store_true")
parser.add_argument("--kind", default="plain")
args = parser.parse_args()
loader_data = TensorDataset(torch.randn(96, 6), torch.randn(96))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    train(model, loader, optimizer, args)
hvd.shutdown()
