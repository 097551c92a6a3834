"""A second head is made and used where an option says so: where it does not, there is nothing to wrap."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--second", action="store_true")
parser.add_argument("--third", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(64, 8)
loader_data = TensorDataset(x, (x.sum(1) > 0).long())
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(8, 2)
params = list(model.parameters())
third = None
if args.second:
    second = nn.Linear(8, 2)
    params += list(second.parameters())
if args.third:
    third = nn.Linear(8, 2)
    params += list(third.parameters())
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(params, lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if args.second:
    hvd.broadcast_parameters(second.state_dict(), root_rank=0)
if args.third:
    hvd.broadcast_parameters(third.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        if args.second:
            loss = loss + criterion(second(inputs), labels)
        if third is not None:
            loss = loss + criterion(third(inputs), labels)
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_loss)
hvd.shutdown()
