"""A model that each arm of a condition makes, or that a later condition makes anew, is always there."""
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
parser.add_argument("--wide", action="store_true")
parser.add_argument("--deep", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(64, 8)
loader_data = TensorDataset(x, (x.sum(1) > 0).long())
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
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
ddp_encoder = DistributedDataParallel(encoder)
ddp_head = DistributedDataParallel(head)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_head(ddp_encoder(inputs)), labels)
        loss.backward()
        optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_encoder, ddp_head
dist.destroy_process_group()
