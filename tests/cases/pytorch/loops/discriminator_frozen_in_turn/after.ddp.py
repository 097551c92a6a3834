"""The discriminator is frozen while the generator is trained, in each step."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def set_requires_grad(model, trains):
    for parameter in model.parameters():
        parameter.requires_grad = trains


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(96, 6))
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=12 // dist.get_world_size(), sampler=loader_sampler)
generator = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 6))
discriminator = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
d_optimizer = torch.optim.Adam(discriminator.parameters(), lr=1e-3)
criterion = nn.BCEWithLogitsLoss()
for tensor in [*generator.parameters(), *generator.buffers()]:
    dist.broadcast(tensor.data, src=0)
for tensor in [*discriminator.parameters(), *discriminator.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (real,) in loader:
        fake = generator(torch.randn(real.size(0), 4))
        set_requires_grad(discriminator, False)
        g_optimizer.zero_grad()
        verdict = discriminator(fake)
        criterion(verdict, torch.ones_like(verdict)).backward()
        for parameter_ in [p for group in g_optimizer.param_groups for p in group["params"]]:
            if parameter_.grad is not None:
                dist.all_reduce(parameter_.grad)
                parameter_.grad /= dist.get_world_size()
        g_optimizer.step()
        set_requires_grad(discriminator, True)
        d_optimizer.zero_grad()
        on_real, on_fake = discriminator(real), discriminator(fake.detach())
        d_loss = criterion(on_real, torch.ones_like(on_real)) + criterion(on_fake, torch.zeros_like(on_fake))
        d_loss.backward()
        for parameter_ in [p for group in d_optimizer.param_groups for p in group["params"]]:
            if parameter_.grad is not None:
                dist.all_reduce(parameter_.grad)
                parameter_.grad /= dist.get_world_size()
        d_optimizer.step()
    total = torch.tensor(d_loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_d_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_d_loss)
dist.destroy_process_group()
