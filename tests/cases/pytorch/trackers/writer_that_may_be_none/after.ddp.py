"""A writer that is asked for is there on rank 0 alone: the others have something for it, so that all get the same answer."""

import argparse

import torch
import torch.nn.functional as F
from torch.utils.tensorboard import SummaryWriter
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
parser.add_argument("--log", action="store_true")
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
writer = (SummaryWriter("runs") if dist.get_rank() == 0 else object()) if args.log else None

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        if writer is not None:
            total_ = torch.tensor(loss.item(), dtype=torch.float64)
            dist.all_reduce(total_)
            mean_loss = total_.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                writer.add_scalar("loss", mean_loss, step)
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if writer is not None:
        if dist.get_rank() == 0:
            writer.add_scalar("mean", total / len(loader), epoch)
del ddp_model
dist.destroy_process_group()
