"""A second head is made and used where an option says so: where it does not, there is nothing to wrap."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--second", action="store_true")
parser.add_argument("--third", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(64, 8)
loader_data = TensorDataset(x, (x.sum(1) > 0).long())
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
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
ddp_model = DistributedDataParallel(model)
if args.second:
    ddp_second = DistributedDataParallel(second)
else:
    ddp_second = None
if args.third:
    ddp_third = DistributedDataParallel(third)
else:
    ddp_third = None
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), labels)
        if args.second:
            loss = loss + criterion(ddp_second(inputs), labels)
        if third is not None:
            loss = loss + criterion(ddp_third(inputs), labels)
        loss.backward()
        optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_model, ddp_second, ddp_third
dist.destroy_process_group()
