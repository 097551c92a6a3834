"""Which of two models is trained is an option; whichever it is, eval() turns its dropout off, so the schedule is right."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        return self.out(self.drop(x))


class Wide(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Dropout(0.5))
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        return self.out(self.body(x))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--model", choices=["small", "wide"], default="small")
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
held_out = DataLoader(TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,))), batch_size=50)
if args.model == "small":
    model = Small()
else:
    model = Wide(32)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)


def from_rank_0(value):
    values = [value]
    dist.broadcast_object_list(values)
    return values[0]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    model.train()
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = F.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        held = sum(F.cross_entropy(model(x), y, reduction="sum").item() for x, y in held_out) / 99
    plateau.step(from_rank_0(held))
    if dist.get_rank() == 0:
        print(epoch, held)
del ddp_model
dist.destroy_process_group()
