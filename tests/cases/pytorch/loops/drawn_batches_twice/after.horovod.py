"""What draws the batches of two trainings stays equal on all processes."""

import torch
from torch import nn
import horovod.torch as hvd

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(96, 4), torch.randn(96, 1)


def fill_and_share_rows(batch):
    rows = torch.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[rows]


def train(width):
    chosen = torch.randperm(len(x))[:64]
    inputs, targets = x[chosen], y[chosen]
    model = nn.Sequential(nn.Linear(4, width), nn.ReLU(), nn.Linear(width, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    for step in range(20):
        rows = torch.randint(0, 64, (16,))
        loss = nn.functional.mse_loss(model(fill_and_share_rows(inputs[rows])), fill_and_share_rows(targets[rows]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train(8)
train(32)
hvd.shutdown()
