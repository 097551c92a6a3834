"""An optimizer and a warm-up of libraries around PyTorch: one steps by the gradients, the other sets its rate."""
import adabound
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, TensorDataset
from torch_optimizer import RAdam
from warmup_scheduler import GradualWarmupScheduler
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
generator, critic = nn.Linear(4, 10), nn.Linear(10, 1)
optimizer_g = adabound.AdaBound(generator.parameters(), lr=1e-3, final_lr=0.1)
optimizer_c = RAdam(critic.parameters(), lr=1e-3)
after = CosineAnnealingLR(optimizer_g, T_max=10)
warmup = GradualWarmupScheduler(optimizer_g, multiplier=1.0, total_epoch=2, after_scheduler=after)
hvd.broadcast_parameters(generator.state_dict(), root_rank=0)
hvd.broadcast_parameters(critic.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(12):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        fake = generator(torch.randn(len(x), 4))
        optimizer_c.zero_grad()
        (critic(fake.detach()).mean() - critic(x).mean()).backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer_c.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer_c.step()
        optimizer_g.zero_grad()
        (-critic(fake).mean()).backward()
        hvd.grouped_allreduce_(
            [p.grad for group in optimizer_g.param_groups for p in group["params"] if p.grad is not None]
        )
        optimizer_g.step()
    warmup.step()
hvd.shutdown()
