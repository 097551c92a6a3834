"""Two options decide what a batch sets, and what is read of it: no batch sees what the one before has left."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


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


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
parser = argparse.ArgumentParser()
parser.add_argument("--turned", action="store_true")
parser.add_argument("--kind", default="plain")
args = parser.parse_args()
loader_data = TensorDataset(torch.randn(96, 6), torch.randn(96))
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    train(ddp_model, loader, optimizer, args)
del ddp_model
dist.destroy_process_group()
