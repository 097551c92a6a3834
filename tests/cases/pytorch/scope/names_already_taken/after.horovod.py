"""rank, dist, hvd, sampler, world_size and ddp_model are the user's own: added names must be others."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd_
from torch.utils.data.distributed import DistributedSampler

hvd_.init()
rank = 3                      # of the matrix
torch.manual_seed(0)
dist = torch.cdist(torch.randn(8, 4), torch.randn(8, 4))
hvd = "Hauptverband"
sampler = torch.distributions.Normal(0.0, 1.0)
world_size = 40_000           # km
ddp_model = None

noise = sampler.sample((400, 8))
factors = noise @ torch.linalg.qr(torch.randn(8, 8))[0][:, :rank]
loader_data = TensorDataset(noise, factors)
if 40 % hvd_.size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {hvd_.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd_.size(), rank=hvd_.rank())
loader = DataLoader(loader_data, batch_size=40 // hvd_.size(), sampler=loader_sampler)
model = nn.Linear(8, rank)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd_.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd_.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd_.rank() > 0:
    torch.manual_seed(hvd_.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
if hvd_.rank() == 0:
    print(hvd, world_size, dist.shape, ddp_model)
hvd_.shutdown()
