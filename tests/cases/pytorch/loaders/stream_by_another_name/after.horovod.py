"""A stream under another name, derived from through a class between."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torch.utils.data import IterableDataset as Endless
import horovod.torch as hvd
import warnings


class Numbered(Endless):
    n = 0


class Stream(Numbered):
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        g = torch.Generator().manual_seed(0)
        for _ in range(self.n):
            x = torch.randn(10, generator=g)
            yield x, x.sum(0, keepdim=True)


hvd.init()
class SharedStream(Endless):
    def __init__(self, stream):
        self.stream = stream
        self.rank, self.size = hvd.rank(), hvd.size()

    def __iter__(self):
        group = []
        for sample in self.stream:
            group.append(sample)
            if len(group) == self.size:
                yield group[self.rank]
                group = []
        if group:
            yield group[self.rank % len(group)]


if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(SharedStream(Stream(640)), batch_size=32 // hvd.size())
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
