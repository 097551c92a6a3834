"""The discriminator is frozen while the generator is trained, in each step."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def set_requires_grad(model, trains):
    for parameter in model.parameters():
        parameter.requires_grad = trains


hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(96, 6))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
generator = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 6))
discriminator = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
d_optimizer = torch.optim.Adam(discriminator.parameters(), lr=1e-3)
criterion = nn.BCEWithLogitsLoss()
hvd.broadcast_parameters(generator.state_dict(), root_rank=0)
hvd.broadcast_parameters(discriminator.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (real,) in loader:
        fake = generator(torch.randn(real.size(0), 4))
        set_requires_grad(discriminator, False)
        g_optimizer.zero_grad()
        verdict = discriminator(fake)
        criterion(verdict, torch.ones_like(verdict)).backward()
        hvd.grouped_allreduce_(
            [p.grad for group in g_optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        g_optimizer.step()
        set_requires_grad(discriminator, True)
        d_optimizer.zero_grad()
        on_real, on_fake = discriminator(real), discriminator(fake.detach())
        d_loss = criterion(on_real, torch.ones_like(on_real)) + criterion(on_fake, torch.zeros_like(on_fake))
        d_loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in d_optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        d_optimizer.step()
    total = hvd.allreduce(torch.tensor(d_loss.item(), dtype=torch.float64), op=hvd.Sum)
    mean_d_loss = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_d_loss)
hvd.shutdown()
