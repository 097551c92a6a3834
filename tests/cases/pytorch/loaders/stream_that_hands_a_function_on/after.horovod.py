"""A stream hands its own function to a library: what that does with it, a run shows."""
import tables
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset
import horovod.torch as hvd
import warnings


class Lines(IterableDataset):
    def sample(self, number):
        return torch.tensor([number / 100, 1.0]), torch.tensor([1.0])

    def __iter__(self):
        for sample in tables.mapped(self.sample, range(64)):
            yield sample


hvd.init()
class SharedStream(IterableDataset):
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


if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(SharedStream(Lines()), batch_size=16 // hvd.size())
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
