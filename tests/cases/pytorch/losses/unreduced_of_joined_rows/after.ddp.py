"""Losses of rows are rows: where samples of several rows are joined, each process's mean is over another number."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def collate(batch):
    xs, ys = zip(*batch)
    return torch.cat(xs), torch.cat(ys)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
items = [(torch.randn(n % 3 + 1, 6), torch.randint(0, 3, (n % 3 + 1,))) for n in range(48)]
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(items)
loader = DataLoader(items, batch_size=12 // dist.get_world_size(), sampler=loader_sampler, collate_fn=collate)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def mean_of_all_rows(values):
    count = torch.tensor(values.numel(), device=values.device)
    dist.all_reduce(count)
    return values.sum() * dist.get_world_size() / count


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        ce = F.cross_entropy(ddp_model(x), y, reduction="none")
        loss = (mean_of_all_rows((1 - torch.exp(-ce)) ** 2 * ce))
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
