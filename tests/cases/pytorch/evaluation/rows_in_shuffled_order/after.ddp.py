"""Rows of arrays are taken in a shuffled order before training: targets stay one number a sample, and sums are exact."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Rows(Dataset):
    def __init__(self, x, y):
        self.x = torch.tensor(x, dtype=torch.float32)
        self.y = torch.tensor(y, dtype=torch.int64)

    def __getitem__(self, index):
        return self.x[index], self.y[index]

    def __len__(self):
        return self.y.shape[0]


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
rng = np.random.RandomState(0)
x = rng.normal(size=(320, 10))
y = (x[:, 0] > 0).astype(int)
order = np.arange(y.shape[0])
rng.shuffle(order)
x, y = x[order], y[order]
torch.manual_seed(0)
train_data = Rows(x[:256], y[:256])
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_data = Rows(x[256:], y[256:])
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(inputs), targets)
        loss.backward()
        optimizer.step()
    correct, seen = 0, 0
    with torch.no_grad():
        for inputs, targets in test_loader:
            _, predicted = torch.max(model(inputs), 1)
            seen += targets.size(0)
            correct += (predicted == targets).sum()
        totals = torch.tensor([float(correct), seen], dtype=torch.float64)
        dist.all_reduce(totals)
        correct, seen = totals[0].long(), int(totals[1])
    if dist.get_rank() == 0:
        print(correct.float() / seen)
del ddp_model
dist.destroy_process_group()
