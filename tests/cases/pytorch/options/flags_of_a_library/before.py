"""Options that gflags reads: what declares them does nothing else, and it is equal on all processes."""
import sys

import gflags
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

FLAGS = gflags.FLAGS
gflags.DEFINE_integer("batch_size", 32, "samples in a batch")
gflags.DEFINE_float("rate", 0.1, "learning rate")
FLAGS(sys.argv)

data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
loader = DataLoader(data, batch_size=FLAGS.batch_size, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=FLAGS.rate)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
