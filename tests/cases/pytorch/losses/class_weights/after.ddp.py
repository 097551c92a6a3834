"""Class weights make the mean a weighted one: its divisor, the sum of weights, differs between the ranks' batches."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 3)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 5.0, 2.0]))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(4):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        weights = criterion.weight[y].sum()
        dist.all_reduce(weights)
        weights = weights / dist.get_world_size()
        (F.cross_entropy(ddp_model(x), y, weight=criterion.weight, reduction="sum") / weights).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
