"""A critic that is trained on each batch, its weights clamped; the generator on every fifth."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(1)
loader_data = TensorDataset(torch.randn(640, 10))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
if hvd.size() > 1 and (len(loader_data) - 1) % 32 < hvd.size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
generator = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 10))
critic = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer_g = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
optimizer_c = torch.optim.RMSprop(critic.parameters(), lr=5e-5)

hvd.broadcast_parameters(generator.state_dict(), root_rank=0)
hvd.broadcast_parameters(critic.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(1 + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for i, (real,) in enumerate(loader):
        optimizer_c.zero_grad()
        fake = generator(torch.randn(real.shape[0], 4)).detach()
        loss_c = -torch.mean(critic(real)) + torch.mean(critic(fake))
        loss_c.backward()
        hvd.grouped_allreduce_(
            [p_.grad for group in optimizer_c.param_groups for p_ in group["params"] if p_.grad is not None]
        )
        optimizer_c.step()
        for p in critic.parameters():
            p.data.clamp_(-0.01, 0.01)

        if i % 5 == 0:
            optimizer_g.zero_grad()
            loss_g = -torch.mean(critic(generator(torch.randn(real.shape[0], 4))))
            loss_g.backward()
            hvd.grouped_allreduce_(
                [p_.grad for group in optimizer_g.param_groups for p_ in group["params"] if p_.grad is not None]
            )
            optimizer_g.step()
    totals = hvd.allreduce(torch.tensor([loss_c.item(), loss_g.item()], dtype=torch.float64), op=hvd.Sum)
    mean_loss_c, mean_loss_g = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
    if hvd.rank() == 0:
        print(epoch, mean_loss_c, mean_loss_g)
hvd.shutdown()
