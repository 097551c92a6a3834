"""A classifier takes one layer of an autoencoder that was trained before: the other one has no gradients now."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 4)
        self.decoder = nn.Linear(4, 8)

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Classifier(nn.Module):
    def __init__(self, autoencoder):
        super().__init__()
        self.autoencoder = autoencoder
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return self.head(self.autoencoder.encoder(x))


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.autoencoder = Autoencoder()
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.autoencoder(x))


def train(model, loader):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()


hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
first = Both()
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
train(first, DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler))
second = Classifier(first.autoencoder)
optimizer = torch.optim.Adam(second.parameters(), lr=1e-3)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), seed=1000)
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler)
hvd.broadcast_parameters(second.state_dict(), root_rank=0)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(second(x), y).backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer.step()
if hvd.rank() == 0:
    torch.save(second.state_dict(), "model.pt")
hvd.shutdown()
