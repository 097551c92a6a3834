"""The length and the attributes of a stream are read, a batch is looked at, and incomplete batches are dropped."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset
import horovod.torch as hvd
import warnings


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


hvd.init()
torch.manual_seed(0)


class SharedStream(IterableDataset):
    def __init__(self, stream, drop_last=False):
        self.stream, self.drop_last = stream, drop_last
        self.rank, self.size = hvd.rank(), hvd.size()

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


if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(SharedStream(Lines(70), drop_last=True), batch_size=16 // hvd.size(), num_workers=0, drop_last=True)
x, _ = next(iter(DataLoader(loader.dataset.stream, batch_size=16, num_workers=0, drop_last=True)))
if hvd.rank() == 0:
    print(x.shape, loader.dataset.stream.name)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, total / len(loader), len(loader.dataset.stream))
hvd.shutdown()
