#!/usr/bin/env python
# coding: utf-8
# Imports go after the docstring and the __future__ line, not before them.
"""Linear model on noise.

Usage: python train.py
"""
from __future__ import annotations

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def batches(n: int) -> DataLoader[tuple[torch.Tensor, ...]]:
    loader_data = TensorDataset(torch.randn(n, 10), torch.randn(n, 1))
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    return DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(loader_data))


def main() -> None:
    loader = batches(320)
    model: nn.Module = nn.Linear(10, 1)
    optimizer: torch.optim.Optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    epoch: int
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(ddp_model(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    seed = torch.tensor(torch.initial_seed() % 2**63)
    dist.broadcast(seed, src=0)
    seed = seed.item()
    torch.manual_seed(seed)
    main()
    dist.destroy_process_group()
