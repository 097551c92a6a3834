"""A weight beside the model is averaged by hand before the scaler looks at gradients."""
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
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 2))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 2)
log_sigma = nn.Parameter(torch.zeros(2))
optimizer = torch.optim.SGD([*model.parameters(), log_sigma], lr=0.5)
scaler = torch.amp.GradScaler("cpu")
ddp_model = DistributedDataParallel(model)
for parameter in [log_sigma]:
    dist.broadcast(parameter.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cpu"):
            loss = ((ddp_model(x) - y).pow(2) * torch.exp(-log_sigma) + log_sigma).mean()
        scaler.scale(loss).backward()
        for parameter in [log_sigma]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
del ddp_model
dist.destroy_process_group()
