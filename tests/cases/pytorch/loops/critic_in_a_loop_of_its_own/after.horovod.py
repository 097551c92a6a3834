"""The critic makes five updates for each one of the generator."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(96, 6))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler, drop_last=True)
generator = nn.Linear(4, 6)
critic = nn.Linear(6, 1)
g_optimizer = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
c_optimizer = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
hvd.broadcast_parameters(generator.state_dict(), root_rank=0)
hvd.broadcast_parameters(critic.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (real,) in loader:
        for _ in range(5):
            fake = generator(torch.randn(real.size(0), 4)).detach()
            c_loss = critic(fake).mean() - critic(real).mean()
            c_optimizer.zero_grad()
            c_loss.backward()
            hvd.grouped_allreduce_(
                [p_.grad for group in c_optimizer.param_groups for p_ in group["params"] if p_.grad is not None]
            )
            c_optimizer.step()
            for p in critic.parameters():
                p.data.clamp_(-0.01, 0.01)
        g_loss = -critic(generator(torch.randn(real.size(0), 4))).mean()
        g_optimizer.zero_grad()
        g_loss.backward()
        hvd.grouped_allreduce_(
            [p_.grad for group in g_optimizer.param_groups for p_ in group["params"] if p_.grad is not None]
        )
        g_optimizer.step()
hvd.shutdown()
