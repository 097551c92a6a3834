"""A sum over the samples of a stream is divided by its length, where some fill up the last batch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Points(IterableDataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __iter__(self):
        for i in range(len(self.x)):
            yield self.x[i], self.y[i]


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
x = torch.randn(52, 6)
train_set = Points(x, (x[:, 0] > 0).long())


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

    def __len__(self):
        return (len(self.stream) + self.size - 1) // self.size


if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(SharedStream(train_set), batch_size=12 // dist.get_world_size())
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    correct = 0
    for x, y in loader:
        optimizer.zero_grad()
        out = ddp_model(x)
        nn.functional.cross_entropy(out, y).backward()
        optimizer.step()
        correct += (out.argmax(1) == y).sum().item()
    total = torch.tensor(correct, dtype=torch.float64)
    dist.all_reduce(total)
    correct = int(total)
    if dist.get_rank() == 0:
        print(100 * correct / (len(loader.dataset) * dist.get_world_size()))
del ddp_model
dist.destroy_process_group()
