"""Loaded tensors are computed with: in a function, by an operator, by torch, as a parameter; all go to the own GPU."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
x = torch.randn(64, 8)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
net = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())


def read(path):
    return torch.load(path, map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage))


def show(model, inputs):
    with torch.no_grad():
        model_result = model(inputs)
        if hvd.rank() == 0:
            print(model_result.sum().item())


shift = torch.load("shift.pt", map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage))["value"].clone()
last = torch.load(
    "last.pt", map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage)
)
noise, start = last["noise"], last["epoch"]
mean, _ = torch.load(
    "mean.pt", map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage)
)
kept = read("kept.pt")
net.weight.data = torch.load(
    "weight.pt", map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage)
)
scale = nn.Parameter(
    torch.load(
        "scale.pt", map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage)
    )
)
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(a.to(device)), b.to(device)).backward()
        optimizer.step()
show(net, kept["inputs"])
show(net, noise)
for row in torch.load("rows.pt", map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage)):
    net_result = net(row)
    if hvd.rank() == 0:
        print(start, net_result.sum().item())
with torch.no_grad():
    net_result = net(x.to(device))
    net_result_ = net(x.to(device))
    if hvd.rank() == 0:
        print((net_result + shift).mean().item(), torch.cat([net_result_, mean]).sum().item(), scale.sum().item())
hvd.shutdown()
