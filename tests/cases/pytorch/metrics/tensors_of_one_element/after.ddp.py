"""Accumulators that are tensors keep their dimension, their precision and whether they hold integers."""
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
torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    row, wide, count = torch.zeros(1), torch.zeros((), dtype=torch.float64), torch.zeros(1, dtype=torch.long)
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        output = ddp_model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        row += loss.item()
        wide = wide + loss.item()
        count += (output.argmax(1) == yb).sum()
    totals = torch.tensor([float(row), float(wide), float(count)], dtype=torch.float64)
    dist.all_reduce(totals)
    row, wide, count = (
        (totals[0] / dist.get_world_size()).float().view(1),
        totals[1] / dist.get_world_size(),
        totals[2].long().view(1),
    )
    if dist.get_rank() == 0:
        print(epoch, row / len(loader), row[0], wide / len(loader), count)
del ddp_model
dist.destroy_process_group()
