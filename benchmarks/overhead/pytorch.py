"""Trains a small convolutional network of PyTorch, and writes down what one of its steps takes."""

import os
import statistics
import time
from itertools import pairwise
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(4096, 1, 16, 16)
loader = DataLoader(TensorDataset(x, x.mean((1, 2, 3)).gt(0).long()), batch_size=64)
model = nn.Sequential(
    nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Flatten(), nn.Linear(32 * 14 * 14, 64), nn.ReLU(), nn.Linear(64, 2)
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ends = []
for _ in range(4):
    for images, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
        ends.append(time.perf_counter())
        if len(ends) == 240:
            step = statistics.median(b - a for a, b in pairwise(ends[140:]))
            Path(os.environ["STEP_FILE"]).write_text(str(step), encoding="utf-8")
