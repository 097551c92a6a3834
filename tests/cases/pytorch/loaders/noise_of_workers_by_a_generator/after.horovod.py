"""Workers get their seed from the generator that the loader is given: other noise on each process, as without one."""

import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler


def seed_worker(worker_id):
    seed = torch.initial_seed() % 2**32
    np.random.seed(seed)
    random.seed(seed)


hvd.init()
torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()


class Noisy(Dataset):
    def __len__(self):
        return len(x)

    def __getitem__(self, i):
        return x[i] + float(np.random.normal(0, 0.1)), y[i]


g = torch.Generator()
g.manual_seed(0)


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


train_data = Noisy()
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
train_loader = DataLoader(
    train_data, batch_size=12 // hvd.size(), sampler=SharedSampler(RandomSampler(train_data, generator=g)), num_workers=2, worker_init_fn=seed_worker, generator=g if hvd.rank() == 0 else None
)
test_loader = DataLoader(Noisy(), batch_size=24, num_workers=2, worker_init_fn=seed_worker, generator=g)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    for a, b in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(a), b)
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(1) == b).sum().item()
    if hvd.rank() == 0:
        print(epoch, correct)
hvd.shutdown()
