"""Data sets, splits and loaders are imported from the modules that define them: a split is drawn alike all the same."""

import torch
import torch.utils.data.dataset as datasets
from torch import nn
from torch.utils.data.dataloader import DataLoader
from torch.utils.data.dataset import TensorDataset, random_split
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
x = torch.linspace(-1, 1, 80).view(80, 1)
train, rest = random_split(TensorDataset(x, (x[:, 0] > 0).long()), [48, 32])
valid, test = datasets.random_split(rest, [16, 16])
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
train_loader = DataLoader(train, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(train))
valid_sampler = range(dist.get_rank(), len(valid), dist.get_world_size())
valid_loader = DataLoader(valid, batch_size=8, sampler=valid_sampler)
model = nn.Linear(1, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(inputs), labels).backward()
        optimizer.step()
    hits = 0
    with torch.no_grad():
        for inputs, labels in valid_loader:
            hits += (model(inputs).argmax(1) == labels).sum().item()
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
    if dist.get_rank() == 0:
        print(hits / len(valid))
del ddp_model
dist.destroy_process_group()
