"""The training loop makes its DataLoader in its head: its sampler is told the epoch there."""
import torch
import torch.nn as nn
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
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def at_epoch(loader, epoch):
    loader.sampler.set_epoch(epoch)
    return loader


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    for x, y in at_epoch(DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data)), epoch):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(epoch)
del ddp_model
dist.destroy_process_group()
