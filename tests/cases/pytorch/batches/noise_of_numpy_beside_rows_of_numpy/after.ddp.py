"""Rows and noise both come from NumPy's numbers: the noise is the same on every process, and that is said."""

import numpy as np
import torch
from torch import nn
import os
import torch.distributed as dist
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
np.random.seed(0)
torch.manual_seed(0)
features = np.random.rand(64, 6).astype("float32")
made, told = nn.Linear(3, 6), nn.Linear(6, 1)
optimizer = torch.optim.SGD(made.parameters(), lr=0.1)
judge = torch.optim.SGD(told.parameters(), lr=0.1)


def step(real):
    noise = torch.from_numpy(np.random.normal(size=[real.shape[0], 3]).astype("float32"))
    judge.zero_grad()
    right, wrong = told(torch.from_numpy(real)), told(made(noise).detach())
    (nn.functional.softplus(-right).mean() + nn.functional.softplus(wrong).mean()).backward()
    for parameter in [p for group in judge.param_groups for p in group["params"]]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    judge.step()
    optimizer.zero_grad()
    nn.functional.softplus(-told(made(noise))).mean().backward()
    for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    optimizer.step()


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


for tensor in [*told.parameters(), *told.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*made.parameters(), *made.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for _ in range(16):
    rows = np.random.choice(64, 8, replace=False)
    step(fill_and_share_rows(features[rows]))
dist.destroy_process_group()
