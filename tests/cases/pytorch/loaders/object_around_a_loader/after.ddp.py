"""An object prepares what a loader gives, and begins it by iter(): the loader is shared out like any other."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


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


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 2, 4), torch.randint(0, 2, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(data)
train_loader = Prepared(DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=train_sampler), flat)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    train_loader.loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(inputs), labels).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
