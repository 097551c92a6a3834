"""Two optimizers step in turn: each has a warm-up of its own."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
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
loader_data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8, sampler=loader_sampler)
a, b = nn.Linear(4, 4), nn.Linear(4, 4)
opt_a = torch.optim.SGD(a.parameters(), lr=0.1 * dist.get_world_size())
opt_b = torch.optim.SGD(b.parameters(), lr=0.1 * dist.get_world_size())
criterion = nn.MSELoss()
for tensor in [*a.parameters(), *a.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*b.parameters(), *b.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
warmup = LinearLR(opt_a, start_factor=1 / dist.get_world_size(), total_iters=max(1, int(min(5, 3 / 10) * len(loader))))
warmup_ = LinearLR(opt_b, start_factor=1 / dist.get_world_size(), total_iters=max(1, int(min(5, 3 / 10) * len(loader))))
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        opt_a.zero_grad()
        loss = criterion(a(x), x)
        loss.backward()
        for parameter in [p for group in opt_a.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        opt_a.step()
        warmup.step()
        opt_b.zero_grad()
        other = criterion(b(x), x)
        other.backward()
        for parameter in [p for group in opt_b.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        opt_b.step()
        warmup_.step()
dist.destroy_process_group()
