"""A stream hands its own function to a library: what that does with it, a run shows."""
import tables
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Lines(IterableDataset):
    def sample(self, number):
        return torch.tensor([number / 100, 1.0]), torch.tensor([1.0])

    def __iter__(self):
        for sample in tables.mapped(self.sample, range(64)):
            yield sample


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
class SharedStream(IterableDataset):
    def __init__(self, stream):
        self.stream = stream
        self.rank, self.size = dist.get_rank(), dist.get_world_size()

    def __iter__(self):
        group = []
        for sample in self.stream:
            group.append(sample)
            if len(group) == self.size:
                yield group[self.rank]
                group = []
        if group:
            yield group[self.rank % len(group)]


if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(SharedStream(Lines()), batch_size=16 // dist.get_world_size())
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
