"""A writer that is asked for is there on rank 0 alone: the others have something for it, so that all get the same answer."""

import argparse

import torch
import torch.nn.functional as F
from torch.utils.tensorboard import SummaryWriter
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--log", action="store_true")
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
writer = SummaryWriter("runs") if args.log else None

for epoch in range(2):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        if writer is not None:
            writer.add_scalar("loss", loss.item(), step)
    if writer is not None:
        writer.add_scalar("mean", total / len(loader), epoch)
