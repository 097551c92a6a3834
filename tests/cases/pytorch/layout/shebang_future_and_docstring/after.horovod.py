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
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def batches(n: int) -> DataLoader[tuple[torch.Tensor, ...]]:
    loader_data = TensorDataset(torch.randn(n, 10), torch.randn(n, 1))
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    return DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank()))


def main() -> None:
    loader = batches(320)
    model: nn.Module = nn.Linear(10, 1)
    optimizer: torch.optim.Optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1), named_parameters=model.named_parameters())
    epoch: int
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    hvd.init()
    seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
    torch.manual_seed(seed)
    main()
    hvd.shutdown()
