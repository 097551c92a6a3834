"""The length and the attributes of a stream are read, a batch is looked at, and incomplete batches are dropped."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Lines(IterableDataset):
    def __init__(self, count):
        self.count, self.name = count, "lines"

    def __iter__(self):
        return map(self.sample, range(self.count))

    def sample(self, number):
        x = torch.tensor([number / 100, 1.0])
        return x, x.sum(0, keepdim=True)

    def __len__(self):
        return self.count


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)


class SharedStream(IterableDataset):
    def __init__(self, stream, drop_last=False):
        self.stream, self.drop_last = stream, drop_last
        self.rank, self.size = dist.get_rank(), dist.get_world_size()

    def __iter__(self):
        group = []
        for sample in self.stream:
            group.append(sample)
            if len(group) == self.size:
                yield group[self.rank]
                group = []
        if group and not self.drop_last:
            yield group[self.rank % len(group)]

    def __len__(self):
        return (len(self.stream) + (0 if self.drop_last else self.size - 1)) // self.size


if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    SharedStream(Lines(70), drop_last=True), batch_size=16 // dist.get_world_size(), num_workers=0, drop_last=True
)
x, _ = next(iter(DataLoader(loader.dataset.stream, batch_size=16, num_workers=0, drop_last=True)))
if dist.get_rank() == 0:
    print(x.shape, loader.dataset.stream.name)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, total / len(loader), len(loader.dataset.stream))
del ddp_model
dist.destroy_process_group()
