"""A summed loss divided by the batch size as a literal (/ 32): the divisor is the global batch, the loss is a sum over ranks."""
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
loader_data = TensorDataset(torch.randn(640, 8), torch.randn(640, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(4):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp_model(x), y, reduction='sum') / 32
        optimizer.zero_grad()
        (loss * dist.get_world_size()).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
