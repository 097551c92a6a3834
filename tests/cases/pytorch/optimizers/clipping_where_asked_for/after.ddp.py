"""Gradients are clipped where the command line asks for it, and their norm is shown: it is that of the whole batch."""
import argparse

import torch
import torch.nn as nn
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
parser.add_argument("--clip", type=float, default=0.5)
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 4), torch.randn(640, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(ddp_model(x), y)
        loss.backward()
        if args.clip > 0:
            norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=args.clip)
            total += norm.item()
        optimizer.step()
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: mean norm {total / len(loader):.4f}")
del ddp_model
dist.destroy_process_group()
