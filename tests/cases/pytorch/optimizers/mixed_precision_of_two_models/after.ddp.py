"""One scaler for two models: each one's gradients are averaged before they are unscaled, be it by the step itself."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(640, 10))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
generator = nn.Linear(4, 10)
critic = nn.Linear(10, 1)
generator_optimizer = torch.optim.SGD(generator.parameters(), lr=0.1)
critic_optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
criterion = nn.BCEWithLogitsLoss()
scaler = torch.amp.GradScaler("cpu")
for tensor in [*generator.parameters(), *generator.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*critic.parameters(), *critic.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        real, made = torch.ones(x.size(0), 1), torch.zeros(x.size(0), 1)
        critic_optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            fake = generator(torch.randn(x.size(0), 4))
            critic_loss = criterion(critic(x), real) + criterion(critic(fake.detach()), made)
        scaler.scale(critic_loss).backward()
        for parameter in [p for group in critic_optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        scaler.unscale_(critic_optimizer)
        nn.utils.clip_grad_norm_(critic.parameters(), 1.0)
        scaler.step(critic_optimizer)
        generator_optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            generator_loss = criterion(critic(fake), real)
        scaler.scale(generator_loss).backward()
        for parameter in [p for group in generator_optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        scaler.step(generator_optimizer)
        scaler.update()
dist.destroy_process_group()
