"""A function makes two loaders of one training: rank 0 draws the orders of both, which begin differently."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


def shuffled(data, size):
    if size % hvd.size() != 0:
        raise SystemExit(f"batch size {size} cannot be shared out over {hvd.size()} processes")
    return DataLoader(data, batch_size=size // hvd.size(), sampler=SharedSampler(RandomSampler(data)))


hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
large, small = shuffled(data, 16), shuffled(data, 8)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    for x, y in large:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    for x, y in small:
        optimizer.zero_grad()
        (0.5 * criterion(model(x), y)).backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
