"""By hand: each model has its wrapper; the critic is used bare where the generator learns."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

torch.manual_seed(6)
data = TensorDataset(torch.randn(64, 4) * 0.3 + 2)
sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=16 // size, sampler=sampler)
generator = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 4))
critic = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
ddp_generator = DistributedDataParallel(generator)
ddp_critic = DistributedDataParallel(critic)
criterion = nn.BCEWithLogitsLoss()
optimizer_g = torch.optim.Adam(generator.parameters(), lr=2e-3, betas=(0.5, 0.999))
optimizer_d = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.5, 0.999))
if rank > 0:
    torch.manual_seed(6 + rank)

for epoch in range(2):
    sampler.set_epoch(epoch)
    total_d = total_g = 0.0
    for real, in loader:
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        noise = torch.randn(len(real), 3)
        fake = ddp_generator(noise)

        optimizer_d.zero_grad()
        outputs = ddp_critic(torch.cat([real, fake.detach()]))
        loss_d = criterion(outputs, torch.cat([ones, zeros]))
        loss_d.backward()
        optimizer_d.step()

        optimizer_g.zero_grad()
        loss_g = criterion(critic(fake), ones)
        loss_g.backward()
        optimizer_g.step()
        total_d += loss_d.item()
        total_g += loss_g.item()
    totals = torch.tensor([total_d, total_g], dtype=torch.float64)
    dist.all_reduce(totals)
    total_d, total_g = (totals / size).tolist()
    if rank == 0:
        print(f'epoch {epoch}: critic {total_d / len(loader):.5f}, generator {total_g / len(loader):.5f}')
del ddp_generator, ddp_critic
dist.destroy_process_group()
