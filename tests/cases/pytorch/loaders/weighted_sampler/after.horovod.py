"""A WeightedRandomSampler balances the classes: a plain distributed sampler would drop it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler
import horovod.torch as hvd
from torch.utils.data import Sampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
labels = (torch.rand(1000) < 0.05).long()
weights = torch.where(labels == 1, 20.0, 1.0)
sampler = WeightedRandomSampler(weights, num_samples=len(weights), replacement=True)


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


if 50 % hvd.size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(
    TensorDataset(torch.randn(1000, 10), labels), batch_size=50 // hvd.size(), sampler=SharedSampler(sampler)
)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
