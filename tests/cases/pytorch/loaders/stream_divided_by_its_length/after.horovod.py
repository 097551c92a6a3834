"""A sum over the samples of a stream is divided by its length, where some fill up the last batch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset
import horovod.torch as hvd


class Points(IterableDataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __iter__(self):
        for i in range(len(self.x)):
            yield self.x[i], self.y[i]


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
x = torch.randn(52, 6)
train_set = Points(x, (x[:, 0] > 0).long())


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

    def __len__(self):
        return (len(self.stream) + self.size - 1) // self.size


if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(SharedStream(train_set), batch_size=12 // hvd.size())
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    correct = 0
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        nn.functional.cross_entropy(out, y).backward()
        optimizer.step()
        correct += (out.argmax(1) == y).sum().item()
    total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
    correct = int(total)
    if hvd.rank() == 0:
        print(100 * correct / (len(loader.dataset) * hvd.size()))
hvd.shutdown()
