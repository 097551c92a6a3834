"""An object prepares what a loader gives, and begins it by iter(): the loader is shared out like any other."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Prepared:
    def __init__(self, loader, prepare):
        self.loader = loader
        self.prepare = prepare

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        for batch in iter(self.loader):
            yield self.prepare(*batch)


def flat(x, y):
    return x.view(-1, 8), y


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 2, 4), torch.randint(0, 2, (64,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = Prepared(DataLoader(data, batch_size=8 // hvd.size(), sampler=train_sampler), flat)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    train_loader.loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
hvd.shutdown()
