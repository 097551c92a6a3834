"""What is loaded is weights, numbers, data that are shared out, or moved: it may be on the CPU before that."""

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
x = torch.load("x.pt", map_location="cpu")
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
net = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
last = torch.load("last.tar", map_location="cpu")
net.load_state_dict(last["net"])
optimizer.load_state_dict(last["optimizer"])
if optimizer.state_dict()["state"]:
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
other = torch.load("other.pt", map_location="cpu")
net.load_state_dict({name.replace("module.", ""): value for name, value in other.items()})
best = last["best"] + 1.0
noise = last["noise"].to(device)
sizes = torch.load("sizes.pt", map_location="cpu")
head = nn.Linear(sizes["inputs"], 2)
torch.set_rng_state(last["state"])
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(a.to(device)), b.to(device)).backward()
        optimizer.step()
with torch.no_grad():
    net_result = net(noise)
    if hvd.rank() == 0:
        print(best, net_result.sum().item(), sum(p.numel() for p in head.parameters()))
if hvd.rank() == 0:
    torch.save(last, "copy.tar")
hvd.shutdown()
