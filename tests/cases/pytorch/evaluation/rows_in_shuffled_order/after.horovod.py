"""Rows of arrays are taken in a shuffled order before training: targets stay one number a sample, and sums are exact."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Rows(Dataset):
    def __init__(self, x, y):
        self.x = torch.tensor(x, dtype=torch.float32)
        self.y = torch.tensor(y, dtype=torch.int64)

    def __getitem__(self, index):
        return self.x[index], self.y[index]

    def __len__(self):
        return self.y.shape[0]


hvd.init()
rng = np.random.RandomState(0)
x = rng.normal(size=(320, 10))
y = (x[:, 0] > 0).astype(int)
order = np.arange(y.shape[0])
rng.shuffle(order)
x, y = x[order], y[order]
torch.manual_seed(0)
train_data = Rows(x[:256], y[:256])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=32 // hvd.size(), sampler=train_sampler)
test_data = Rows(x[256:], y[256:])
test_sampler = range(hvd.rank(), len(test_data), hvd.size())
test_loader = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
    correct, seen = 0, 0
    with torch.no_grad():
        for inputs, targets in test_loader:
            _, predicted = torch.max(model(inputs), 1)
            seen += targets.size(0)
            correct += (predicted == targets).sum()
        totals = hvd.allreduce(torch.tensor([float(correct), seen], dtype=torch.float64), op=hvd.Sum)
        correct, seen = totals[0].long(), int(totals[1])
    if hvd.rank() == 0:
        print(correct.float() / seen)
hvd.shutdown()
