"""A classifier takes one layer of an autoencoder that was trained before: the other one has no gradients now."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


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
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
first = Both()
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(data)
train(first, DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler))
second = Classifier(first.autoencoder)
optimizer = torch.optim.Adam(second.parameters(), lr=1e-3)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(data, seed=1000)
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
ddp_second = DistributedDataParallel(second, find_unused_parameters=True)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_second(x), y).backward()
        optimizer.step()
del ddp_second
if dist.get_rank() == 0:
    torch.save(second.state_dict(), "model.pt")
dist.destroy_process_group()
