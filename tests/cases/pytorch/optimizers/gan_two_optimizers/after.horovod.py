"""Two optimizers (generator and discriminator) with a backward pass each."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if hvd.rank() == 0:
    datasets.MNIST("data", download=True)
hvd.barrier()
loader_data = datasets.MNIST("data", download=True, transform=transforms.ToTensor())
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler)
generator = nn.Sequential(nn.Linear(100, 784), nn.Sigmoid())
discriminator = nn.Sequential(nn.Linear(784, 1), nn.Sigmoid())
loss = nn.BCELoss()
optimizer_G = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=2e-4, betas=(0.5, 0.999))
hvd.broadcast_parameters(generator.state_dict(), root_rank=0)
hvd.broadcast_parameters(discriminator.state_dict(), root_rank=0)
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
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer_G.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer_G.step()
        optimizer_D.zero_grad()
        d_loss = (loss(discriminator(real), valid) + loss(discriminator(gen.detach()), fake)) / 2
        d_loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer_D.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer_D.step()
hvd.shutdown()
