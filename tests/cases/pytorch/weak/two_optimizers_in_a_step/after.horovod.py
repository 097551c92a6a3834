"""Two optimizers step in turn: each has a warm-up of its own."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.optim.lr_scheduler import LinearLR
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8, sampler=loader_sampler)
a, b = nn.Linear(4, 4), nn.Linear(4, 4)
opt_a = torch.optim.SGD(a.parameters(), lr=0.1 * hvd.size())
opt_b = torch.optim.SGD(b.parameters(), lr=0.1 * hvd.size())
criterion = nn.MSELoss()
hvd.broadcast_parameters(a.state_dict(), root_rank=0)
hvd.broadcast_parameters(b.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
warmup = LinearLR(opt_a, start_factor=1 / hvd.size(), total_iters=max(1, int(min(5, 3 / 10) * len(loader))))
warmup_ = LinearLR(opt_b, start_factor=1 / hvd.size(), total_iters=max(1, int(min(5, 3 / 10) * len(loader))))
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        opt_a.zero_grad()
        loss = criterion(a(x), x)
        loss.backward()
        hvd.grouped_allreduce_([p.grad for group in opt_a.param_groups for p in group["params"] if p.grad is not None])
        opt_a.step()
        warmup.step()
        opt_b.zero_grad()
        other = criterion(b(x), x)
        other.backward()
        hvd.grouped_allreduce_([p.grad for group in opt_b.param_groups for p in group["params"] if p.grad is not None])
        opt_b.step()
        warmup_.step()
hvd.shutdown()
