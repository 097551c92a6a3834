"""Of two calls that make the loader only one is made in a run, by an arm or an early return: both have one seed."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--few", action="store_true")
parser.add_argument("--tuned", action="store_true")
args = parser.parse_args()


def tuning(data):
    if args.few:
        if 8 % dist.get_world_size() != 0:
            raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
        return DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data, seed=1000))
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    return DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data, seed=1000))


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
if args.few:
    if 8 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
    loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
else:
    if 16 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
    loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
after = tuning(data)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
ddp_model = DistributedDataParallel(model)
for epoch in range(2):
    after.sampler.set_epoch(epoch)
    for x, y in after:
        optimizer.zero_grad()
        criterion(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
dist.destroy_process_group()
