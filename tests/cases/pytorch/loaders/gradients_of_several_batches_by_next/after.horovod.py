"""Each update collects the gradients of four batches that next() takes from a loader."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler

hvd.init()
torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


loader_data = TensorDataset(x, y)
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=SharedSampler(RandomSampler(loader_data)))
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
iterator = iter(loader)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for step in range(12):
    optimizer.zero_grad()
    for micro_step in range(4):
        try:
            features, labels = next(iterator)
        except StopIteration:
            iterator = iter(loader)
            features, labels = next(iterator)
        loss = criterion(model(features), labels) / 4
        loss.backward()
    hvd.grouped_allreduce_([p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None])
    optimizer.step()
hvd.shutdown()
