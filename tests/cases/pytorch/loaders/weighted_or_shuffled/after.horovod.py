"""One of three loaders is trained from: one draws by weights, one shuffles, one keeps the order."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
inputs = torch.randn(400, 5)
train_set = TensorDataset(inputs, inputs.sum(1, keepdim=True))


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


if "--balance" in sys.argv:
    if 40 % hvd.size() != 0:
        raise SystemExit(f"batch size 40 cannot be shared out over {hvd.size()} processes")
    loader_sampler = SharedSampler(WeightedRandomSampler(torch.rand(400), 400))
    loader = DataLoader(train_set, batch_size=40 // hvd.size(), sampler=loader_sampler)
elif "--shuffle" in sys.argv:
    if 40 % hvd.size() != 0:
        raise SystemExit(f"batch size 40 cannot be shared out over {hvd.size()} processes")
    loader = DataLoader(train_set, batch_size=40 // hvd.size(), sampler=SharedSampler(RandomSampler(train_set)))
else:
    if 40 % hvd.size() != 0:
        raise SystemExit(f"batch size 40 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
    loader = DataLoader(train_set, batch_size=40 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
