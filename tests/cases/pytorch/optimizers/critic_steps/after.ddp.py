"""A critic that is trained on each batch, its weights clamped; the generator on every fifth."""
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
torch.manual_seed(1)
loader_data = TensorDataset(torch.randn(640, 10))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(loader_data) - 1) % 32 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
generator = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 10))
critic = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer_g = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
optimizer_c = torch.optim.RMSprop(critic.parameters(), lr=5e-5)

for tensor in [*generator.parameters(), *generator.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*critic.parameters(), *critic.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(1 + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for i, (real,) in enumerate(loader):
        optimizer_c.zero_grad()
        fake = generator(torch.randn(real.shape[0], 4)).detach()
        loss_c = -torch.mean(critic(real)) + torch.mean(critic(fake))
        loss_c.backward()
        for parameter in [p_ for group in optimizer_c.param_groups for p_ in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer_c.step()
        for p in critic.parameters():
            p.data.clamp_(-0.01, 0.01)

        if i % 5 == 0:
            optimizer_g.zero_grad()
            loss_g = -torch.mean(critic(generator(torch.randn(real.shape[0], 4))))
            loss_g.backward()
            for parameter in [p_ for group in optimizer_g.param_groups for p_ in group["params"]]:
                if parameter.grad is not None:
                    dist.all_reduce(parameter.grad)
                    parameter.grad /= dist.get_world_size()
            optimizer_g.step()
    totals = torch.tensor([loss_c.item(), loss_g.item()], dtype=torch.float64)
    dist.all_reduce(totals)
    mean_loss_c, mean_loss_g = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss_c, mean_loss_g)
dist.destroy_process_group()
