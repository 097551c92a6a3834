"""Weak scaling: the evaluation's batch size is kept as well, and its metric is as exact as before."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.optim.lr_scheduler import LinearLR
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
train_dl_data = TensorDataset(torch.randn(3200, 10), torch.randint(0, 2, (3200,)))
train_dl_sampler = DistributedSampler(train_dl_data)
train_dl = DataLoader(train_dl_data, batch_size=32, sampler=train_dl_sampler)
test_dl_data = TensorDataset(torch.randn(333, 10), torch.randint(0, 2, (333,)))
test_dl_sampler = range(dist.get_rank(), len(test_dl_data), dist.get_world_size())
test_dl = DataLoader(test_dl_data, batch_size=32, sampler=test_dl_sampler)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05 * dist.get_world_size())
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
warmup = LinearLR(
    optimizer, start_factor=1 / dist.get_world_size(), total_iters=max(1, int(min(5, 5 / 10) * len(train_dl)))
)
for epoch in range(5):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
        warmup.step()
    hits = 0
    with torch.no_grad():
        for x, y in test_dl:
            hits += (model(x).argmax(1) == y).sum().item()
        total = torch.tensor(hits, dtype=torch.float64)
        dist.all_reduce(total)
        hits = int(total)
    if dist.get_rank() == 0:
        print(epoch, hits / len(test_dl.dataset))
del ddp_model
dist.destroy_process_group()
