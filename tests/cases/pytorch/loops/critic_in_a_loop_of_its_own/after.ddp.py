"""The critic makes five updates for each one of the generator."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(96, 6))
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, drop_last=True)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler, drop_last=True)
generator = nn.Linear(4, 6)
critic = nn.Linear(6, 1)
g_optimizer = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
c_optimizer = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
for tensor in [*generator.parameters(), *generator.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*critic.parameters(), *critic.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (real,) in loader:
        for _ in range(5):
            fake = generator(torch.randn(real.size(0), 4)).detach()
            c_loss = critic(fake).mean() - critic(real).mean()
            c_optimizer.zero_grad()
            c_loss.backward()
            for parameter in [p_ for group in c_optimizer.param_groups for p_ in group["params"]]:
                if parameter.grad is not None:
                    dist.all_reduce(parameter.grad)
                    parameter.grad /= dist.get_world_size()
            c_optimizer.step()
            for p in critic.parameters():
                p.data.clamp_(-0.01, 0.01)
        g_loss = -critic(generator(torch.randn(real.size(0), 4))).mean()
        g_optimizer.zero_grad()
        g_loss.backward()
        for parameter in [p_ for group in g_optimizer.param_groups for p_ in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        g_optimizer.step()
dist.destroy_process_group()
