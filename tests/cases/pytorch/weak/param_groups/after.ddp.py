"""Weak scaling: each group's own rate and the default rate are scaled alike."""
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
loader_data = TensorDataset(torch.randn(3200, 10), torch.randn(3200, 1))
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32, sampler=loader_sampler)
model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1))
optimizer = torch.optim.SGD([
    {"params": model[0].parameters(), "lr": 1e-3 * dist.get_world_size()},
    {"params": model[2].parameters()},
], lr=1e-2 * dist.get_world_size())
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
warmup = LinearLR(
    optimizer, start_factor=1 / dist.get_world_size(), total_iters=max(1, int(min(5, 10 / 10) * len(loader)))
)
for epoch in range(10):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
        warmup.step()
del ddp_model
dist.destroy_process_group()
