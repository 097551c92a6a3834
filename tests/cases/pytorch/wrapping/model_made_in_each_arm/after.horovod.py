"""A model that each arm of a condition makes, or that a later condition makes anew, is always there."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--wide", action="store_true")
parser.add_argument("--deep", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(64, 8)
loader_data = TensorDataset(x, (x.sum(1) > 0).long())
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
if args.wide:
    encoder = nn.Sequential(nn.Linear(8, 64), nn.ReLU())
else:
    encoder = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
width = 64 if args.wide else 16
head = nn.Linear(width, 2)
if args.deep:
    head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(encoder.state_dict(), root_rank=0)
hvd.broadcast_parameters(head.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = criterion(head(encoder(inputs)), labels)
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_loss)
hvd.shutdown()
