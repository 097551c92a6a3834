"""Gradients of a summed loss that are not set to zero in each step are averaged by hand: they are equal already."""
import torch
import torch.nn as nn
import torch.nn.functional as F
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
data = TensorDataset(torch.randn(256, 8), torch.randint(0, 3, (256,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001, momentum=0.9)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for number, (x, y) in enumerate(loader):
        loss = F.cross_entropy(ddp_model(x), y, reduction="sum")
        if number % 2 == 0:
            optimizer.zero_grad()
        (loss * dist.get_world_size()).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
