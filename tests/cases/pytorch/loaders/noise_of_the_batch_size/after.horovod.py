"""Noise and labels are made with the batch size; noise that is made before training only makes pictures."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
batch_size = 12
loader_data = TensorDataset(torch.randn(96, 6))
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
loader = DataLoader(loader_data, batch_size=batch_size // hvd.size(), sampler=loader_sampler, drop_last=True)
generator = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 6))
discriminator = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
d_optimizer = torch.optim.Adam(discriminator.parameters(), lr=1e-3)
criterion = nn.BCEWithLogitsLoss()
fixed_noise = torch.randn(batch_size, 4)
hvd.broadcast_parameters(generator.state_dict(), root_rank=0)
hvd.broadcast_parameters(discriminator.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (real,) in loader:
        real_labels = torch.ones(batch_size // hvd.size(), 1)
        fake_labels = torch.zeros((batch_size // hvd.size(), 1))
        fake = generator(torch.randn(batch_size // hvd.size(), 4))
        d_optimizer.zero_grad()
        d_loss = criterion(discriminator(real), real_labels) + criterion(discriminator(fake.detach()), fake_labels)
        d_loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in d_optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        d_optimizer.step()
        g_optimizer.zero_grad()
        g_loss = criterion(discriminator(fake), real_labels)
        g_loss.backward()
        hvd.grouped_allreduce_(
            [p.grad for group in g_optimizer.param_groups for p in group["params"] if p.grad is not None]
        )
        g_optimizer.step()
    with torch.no_grad():
        picture = generator(fixed_noise)
    if hvd.rank() == 0:
        torch.save(picture, f"epoch{epoch}.pt")
hvd.shutdown()
