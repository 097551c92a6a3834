"""Two optimizers (generator and discriminator) with a backward pass each."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
if dist.get_rank() == 0:
    datasets.MNIST("data", download=True)
dist.barrier()
loader_data = datasets.MNIST("data", download=True, transform=transforms.ToTensor())
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
generator = nn.Sequential(nn.Linear(100, 784), nn.Sigmoid())
discriminator = nn.Sequential(nn.Linear(784, 1), nn.Sigmoid())
loss = nn.BCELoss()
optimizer_G = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=2e-4, betas=(0.5, 0.999))
for tensor in [*generator.parameters(), *generator.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*discriminator.parameters(), *discriminator.buffers()]:
    dist.broadcast(tensor.data, src=0)
for epoch in range(20):
    loader.sampler.set_epoch(epoch)
    for i, (imgs, _) in enumerate(loader):
        real = imgs.view(imgs.size(0), -1)
        valid = torch.ones(imgs.size(0), 1)
        fake = torch.zeros(imgs.size(0), 1)
        optimizer_G.zero_grad()
        gen = generator(torch.randn(imgs.size(0), 100))
        g_loss = loss(discriminator(gen), valid)
        g_loss.backward()
        for parameter in [p for group in optimizer_G.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer_G.step()
        optimizer_D.zero_grad()
        d_loss = (loss(discriminator(real), valid) + loss(discriminator(gen.detach()), fake)) / 2
        d_loss.backward()
        for parameter in [p for group in optimizer_D.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer_D.step()
dist.destroy_process_group()
