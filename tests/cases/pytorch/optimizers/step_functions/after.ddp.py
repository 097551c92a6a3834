"""A function for each of two updates; a summed loss in one, and clipping in front of both."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def train_discriminator(discriminator, optimizer, criterion, real, fake):
    optimizer.zero_grad()
    loss_real = criterion(discriminator(real), torch.ones(real.size(0), 1))
    (loss_real * dist.get_world_size()).backward()
    loss_fake = criterion(discriminator(fake), torch.zeros(real.size(0), 1))
    (loss_fake * dist.get_world_size()).backward()
    for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    optimizer.step()
    return loss_real + loss_fake


def train_generator(discriminator, optimizer, criterion, fake):
    optimizer.zero_grad()
    loss = criterion(discriminator(fake), torch.ones(fake.size(0), 1))
    (loss * dist.get_world_size()).backward()
    for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    optimizer.step()
    return loss


def main():
    torch.manual_seed(1)
    loader_data = TensorDataset(torch.randn(640, 10))
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
    generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 10))
    discriminator = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
    criterion = nn.BCEWithLogitsLoss(reduction="sum")
    g_optimizer = torch.optim.SGD(generator.parameters(), lr=0.001)
    d_optimizer = torch.optim.SGD(discriminator.parameters(), lr=0.001)
    for tensor in [*generator.parameters(), *generator.buffers()]:
        dist.broadcast(tensor.data, src=0)
    for tensor in [*discriminator.parameters(), *discriminator.buffers()]:
        dist.broadcast(tensor.data, src=0)
    if dist.get_rank() > 0:
        torch.manual_seed(1 + dist.get_rank())
    for epoch in range(3):
        d_total, g_total = 0.0, 0.0
        loader.sampler.set_epoch(epoch)
        for (real,) in loader:
            fake = generator(torch.randn(real.size(0), 4))
            d_total += train_discriminator(discriminator, d_optimizer, criterion, real, fake.detach()).item()
            g_total += train_generator(discriminator, g_optimizer, criterion, fake).item()
        totals = torch.tensor([d_total, g_total], dtype=torch.float64)
        dist.all_reduce(totals)
        d_total, g_total = totals.tolist()
        if dist.get_rank() == 0:
            print(epoch, d_total, g_total)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
main()
dist.destroy_process_group()
