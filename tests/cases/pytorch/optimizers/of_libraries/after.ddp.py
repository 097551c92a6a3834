"""An optimizer and a warm-up of libraries around PyTorch: one steps by the gradients, the other sets its rate."""
import adabound
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, TensorDataset
from torch_optimizer import RAdam
from warmup_scheduler import GradualWarmupScheduler
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
generator, critic = nn.Linear(4, 10), nn.Linear(10, 1)
optimizer_g = adabound.AdaBound(generator.parameters(), lr=1e-3, final_lr=0.1)
optimizer_c = RAdam(critic.parameters(), lr=1e-3)
after = CosineAnnealingLR(optimizer_g, T_max=10)
warmup = GradualWarmupScheduler(optimizer_g, multiplier=1.0, total_epoch=2, after_scheduler=after)
for tensor in [*generator.parameters(), *generator.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*critic.parameters(), *critic.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(12):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        fake = generator(torch.randn(len(x), 4))
        optimizer_c.zero_grad()
        (critic(fake.detach()).mean() - critic(x).mean()).backward()
        for parameter in [p for group in optimizer_c.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer_c.step()
        optimizer_g.zero_grad()
        (-critic(fake).mean()).backward()
        for parameter in [p for group in optimizer_g.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer_g.step()
    warmup.step()
dist.destroy_process_group()
