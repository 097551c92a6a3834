"""SubsetRandomSampler splits training and validation over one data set."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.sampler import SubsetRandomSampler
import horovod.torch as hvd
from torch.utils.data import Sampler

hvd.init()
seed_ = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed_)
data = TensorDataset(torch.randn(1000, 10), torch.randint(0, 2, (1000,)))
indices = list(range(len(data)))
np.random.seed(0)
np.random.shuffle(indices)
train_sampler = SubsetRandomSampler(indices[200:])
valid_sampler = SubsetRandomSampler(indices[:200])


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
train_loader = DataLoader(data, batch_size=20 // hvd.size(), sampler=SharedSampler(train_sampler))
valid_loader = DataLoader(data, batch_size=20, sampler=valid_sampler.indices)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed_ + hvd.rank())
    np.random.seed(hvd.rank())
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for x, y in valid_loader:
            hits += (model(x).argmax(1) == y).sum().item()
    if hvd.rank() == 0:
        print(epoch, hits / len(valid_sampler))
hvd.shutdown()
