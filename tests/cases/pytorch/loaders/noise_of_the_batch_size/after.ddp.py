"""Noise and labels are made with the batch size; noise that is made before training only makes pictures."""
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
batch_size = 12
loader_data = TensorDataset(torch.randn(96, 6))
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, drop_last=True)
loader = DataLoader(loader_data, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler, drop_last=True)
generator = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 6))
discriminator = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
d_optimizer = torch.optim.Adam(discriminator.parameters(), lr=1e-3)
criterion = nn.BCEWithLogitsLoss()
fixed_noise = torch.randn(batch_size, 4)
for tensor in [*generator.parameters(), *generator.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*discriminator.parameters(), *discriminator.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (real,) in loader:
        real_labels = torch.ones(batch_size // dist.get_world_size(), 1)
        fake_labels = torch.zeros((batch_size // dist.get_world_size(), 1))
        fake = generator(torch.randn(batch_size // dist.get_world_size(), 4))
        d_optimizer.zero_grad()
        d_loss = criterion(discriminator(real), real_labels) + criterion(discriminator(fake.detach()), fake_labels)
        d_loss.backward()
        for parameter in [p for group in d_optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        d_optimizer.step()
        g_optimizer.zero_grad()
        g_loss = criterion(discriminator(fake), real_labels)
        g_loss.backward()
        for parameter in [p for group in g_optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        g_optimizer.step()
    with torch.no_grad():
        picture = generator(fixed_noise)
    if dist.get_rank() == 0:
        torch.save(picture, f"epoch{epoch}.pt")
dist.destroy_process_group()
