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


def batches(n: int) -> DataLoader[tuple[torch.Tensor, ...]]:
    return DataLoader(TensorDataset(torch.randn(n, 10), torch.randn(n, 1)), batch_size=32, shuffle=True)


def main() -> None:
    loader = batches(320)
    model: nn.Module = nn.Linear(10, 1)
    optimizer: torch.optim.Optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    epoch: int
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
