"""A model is evaluated before training, when no weights are sent yet: all make the same one."""

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
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
x = torch.load("x.pt")
y = torch.load("y.pt")
train_data = TensorDataset(x, y)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data, shuffle=False)
train = DataLoader(train_data, batch_size=32 // dist.get_world_size(), sampler=train_sampler)
test_data = TensorDataset(x, y)
test_sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
test = DataLoader(test_data, batch_size=32, sampler=test_sampler)
model = nn.Linear(16, 4)


def evaluate(loader):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += nn.functional.cross_entropy(model(x), y, reduction="sum").item()
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item()
    model.train()
    return total / len(loader.dataset)


best = evaluate(test)
if dist.get_rank() == 0:
    print("before", best)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    train.sampler.set_epoch(epoch)
    for x, y in train:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()
    now = evaluate(test)
    if now < best:
        best = now
        if dist.get_rank() == 0:
            print("better", now)
del ddp_model
dist.destroy_process_group()
