"""Adversaries: labels and noise are made for the batch size, in the step and in a method of a module."""
import argparse

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
parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=16)
opt = parser.parse_args()


class Generator(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.layers = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 6))

    def forward(self, labels):
        noise = torch.randn(self.size // dist.get_world_size(), 3)
        return self.layers(torch.cat([noise, labels], 1))


torch.manual_seed(0)
data = torch.randn(160, 6)
loader_data = TensorDataset(data)
if opt.batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {opt.batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, drop_last=True)
loader = DataLoader(
    loader_data, batch_size=opt.batch_size // dist.get_world_size(), sampler=loader_sampler, drop_last=True
)
generator = Generator(opt.batch_size)
critic = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
criterion = nn.BCELoss()
steps = torch.optim.SGD(generator.parameters(), lr=0.05), torch.optim.SGD(critic.parameters(), lr=0.05)
optimizer_g, optimizer_c = steps

for tensor in [*critic.parameters(), *critic.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*generator.parameters(), *generator.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (real,) in loader:
        valid = torch.ones(opt.batch_size // dist.get_world_size(), 1)
        fake = torch.full((opt.batch_size // dist.get_world_size(), 1), 0.0)
        optimizer_c.zero_grad()
        loss_c = criterion(critic(real), valid) + criterion(critic(generator(valid).detach()), fake)
        loss_c.backward()
        for parameter in [p for group in optimizer_c.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer_c.step()
        optimizer_g.zero_grad()
        loss_g = criterion(critic(generator(valid)), valid)
        loss_g.backward()
        for parameter in [p for group in optimizer_g.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer_g.step()
    if dist.get_rank() == 0:
        print(epoch)
if dist.get_rank() == 0:
    torch.save(generator.state_dict(), "generator.pt")
dist.destroy_process_group()
