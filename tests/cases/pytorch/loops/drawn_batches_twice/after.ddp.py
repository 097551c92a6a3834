"""What draws the batches of two trainings stays equal on all processes."""

import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x, y = torch.randn(96, 4), torch.randn(96, 1)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


def train(width):
    chosen = torch.randperm(len(x))[:64]
    inputs, targets = x[chosen], y[chosen]
    model = nn.Sequential(nn.Linear(4, width), nn.ReLU(), nn.Linear(width, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    ddp_model = DistributedDataParallel(model)
    for step in range(20):
        rows = torch.randint(0, 64, (16,))
        loss = nn.functional.mse_loss(ddp_model(fill_and_share_rows(inputs[rows])), fill_and_share_rows(targets[rows]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train(8)
train(32)
dist.destroy_process_group()
