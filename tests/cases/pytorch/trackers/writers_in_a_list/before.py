"""Writers in a list, and one that a function gives."""

import torch
import torch.nn.functional as F
from torch.utils.tensorboard import SummaryWriter
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def made(folder):
    return SummaryWriter(folder)


writers = [made("runs")]
for number in range(2):
    writers.append(SummaryWriter(f"runs/{number}"))

for epoch in range(2):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        if step == 0:
            writers[0].add_scalar("loss", loss.item(), step)
    for writer in writers:
        writer.add_scalar("mean", total / len(loader), epoch)
