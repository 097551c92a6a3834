"""A factor from the command line and the type of what each process measures are equal; a measured factor is not."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--weight", type=float, default=0.5)
args = parser.parse_args()


class Centres(nn.Module):
    def __init__(self):
        super().__init__()
        self.places = nn.Parameter(torch.randn(3, 2))

    def forward(self, points, labels):
        return (points - self.places[labels]).pow(2).sum(1).mean()


def slow_down(optimizer, value):
    if isinstance(value, torch.Tensor):
        for group in optimizer.param_groups:
            group["lr"] *= hvd.broadcast_object(1 / (1 + value.item() ** 2))
    else:
        raise TypeError(value)


torch.manual_seed(0)
x, y = torch.randn(96, 4), torch.randint(3, (96,))
loader_data = TensorDataset(x[:64], y[:64])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
test_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)
model, centres = nn.Linear(4, 2), Centres()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer_of_centres = torch.optim.SGD(centres.parameters(), lr=0.1)
middle = None
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
hvd.broadcast_parameters(centres.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        points = model(a)
        loss = points.pow(2).mean() + centres(points, b) * args.weight
        optimizer.zero_grad()
        optimizer_of_centres.zero_grad()
        loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group_ in optimizer.param_groups for p in group_["params"] if p.grad is not None]
        )
        optimizer.step()
        hvd.grouped_allreduce_(
            [p.grad for group_ in optimizer_of_centres.param_groups for p in group_["params"] if p.grad is not None]
        )
        for place in centres.parameters():
            place.grad.data *= 1.0 / args.weight
        optimizer_of_centres.step()
    parts = []
    with torch.no_grad():
        for a, b in test_loader:
            parts.append(model(a))
    outputs = torch.cat(parts)
    spread = outputs.median().item()
    if spread > 0:
        middle = spread
    if hvd.broadcast_object(isinstance(middle, float)):
        for group in optimizer.param_groups:
            group["lr"] *= 0.9
    slow_down(optimizer_of_centres, outputs.median())
    if hvd.rank() == 0:
        print(epoch, spread)
hvd.shutdown()
