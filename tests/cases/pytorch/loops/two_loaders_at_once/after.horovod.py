"""Two loaders are gone over together; an evaluation over some batches is made by every process."""

from itertools import cycle, islice

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
x = torch.randn(96, 5)
y = x.sum(1, keepdim=True)


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


labelled_data = TensorDataset(x[:32], y[:32])
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
labelled = DataLoader(labelled_data, batch_size=8 // hvd.size(), sampler=SharedSampler(RandomSampler(labelled_data)))
unlabelled_data = TensorDataset(x[32:])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
unlabelled = DataLoader(
    unlabelled_data, batch_size=16 // hvd.size(), sampler=SharedSampler(RandomSampler(unlabelled_data))
)
ordered_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
ordered_sampler = DistributedSampler(ordered_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
ordered = DataLoader(ordered_data, batch_size=16 // hvd.size(), sampler=ordered_sampler)
test_loader = DataLoader(TensorDataset(x, y), batch_size=16)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    model.train()
    for i, ((inputs, targets), (others,)) in enumerate(zip(cycle(labelled), unlabelled)):
        loss = F.mse_loss(model(inputs), targets) + model(others).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    for (inputs, targets), (others, _) in zip(labelled, ordered):
        loss = F.mse_loss(model(inputs), targets) + model(others).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for inputs, targets in islice(test_loader, 3):
            total += F.mse_loss(model(inputs), targets, reduction="sum").item()
            count += len(targets)
    if hvd.rank() == 0:
        print(epoch, total / count)
hvd.shutdown()
