"""A function gives one loader or two, as a flag says; where it is called the two are taken apart."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def load(split=True, batch_size=8):
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    if split:
        train, held_out = random_split(data, [48, 16])
        if batch_size % dist.get_world_size() != 0:
            raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
        return DataLoader(train, batch_size=batch_size // dist.get_world_size(), sampler=DistributedSampler(train)), DataLoader(held_out, batch_size=batch_size, sampler=range(dist.get_rank(), len(held_out), dist.get_world_size()))
    else:
        return DataLoader(data, batch_size=batch_size, shuffle=True)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
loader, held_out = load(split=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
    total = 0.0
    with torch.no_grad():
        for x, y in held_out:
            total += criterion(model(x), y).item() * len(x)
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item()
    if dist.get_rank() == 0:
        print(total / len(held_out.dataset))
del ddp_model
dist.destroy_process_group()
