"""Bars that an option, the terminal or a mapping switches off stay off on rank 0; one that is never shown is left."""

import argparse
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm, trange
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--quiet", action="store_true")
args = parser.parse_args()
options = {"disable": args.quiet, "ncols": 80}
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in tqdm(range(3), disable=dist.get_rank() != 0 or args.quiet):
    loader.sampler.set_epoch(epoch)
    for x, y in tqdm(loader, **dict(options, disable=dist.get_rank() != 0 or options.get("disable", False))):
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
for _ in tqdm(range(3), disable=dist.get_rank() != 0 or (not sys.stdout.isatty())):
    pass
for _ in trange(3, disable=dist.get_rank() != 0 or None):
    pass
for _ in tqdm(range(3), disable=dist.get_rank() != 0):
    pass
for _ in tqdm(range(3), disable=True):
    pass
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
del ddp_model
dist.destroy_process_group()
