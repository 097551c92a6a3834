"""Rows come from NumPy's numbers and noise from PyTorch's: each process has noise of its own, and there is nothing to be said."""

import numpy as np
import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
np.random.seed(0)
torch.manual_seed(0)
features = np.random.rand(64, 6).astype("float32")
made, told = nn.Linear(3, 6), nn.Linear(6, 1)
optimizer = torch.optim.SGD(made.parameters(), lr=0.1)
judge = torch.optim.SGD(told.parameters(), lr=0.1)


def step(real):
    noise = torch.randn(real.shape[0], 3)
    judge.zero_grad()
    right, wrong = told(torch.from_numpy(real)), told(made(noise).detach())
    (nn.functional.softplus(-right).mean() + nn.functional.softplus(wrong).mean()).backward()
    hvd.grouped_allreduce_([p.grad for group in judge.param_groups for p in group["params"] if p.grad is not None])
    judge.step()
    optimizer.zero_grad()
    nn.functional.softplus(-told(made(noise))).mean().backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    optimizer.step()


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


hvd.broadcast_parameters(told.state_dict(), root_rank=0)
hvd.broadcast_parameters(made.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for _ in range(16):
    rows = np.random.choice(64, 8, replace=False)
    step(fill_and_share_rows(features[rows]))
hvd.shutdown()
