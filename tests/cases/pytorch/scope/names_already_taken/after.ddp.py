"""rank, dist, hvd, sampler, world_size and ddp_model are the user's own: added names must be others."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist_
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist_.init_process_group("gloo")
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
if 40 % dist_.get_world_size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {dist_.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=40 // dist_.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, rank)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model_ = DistributedDataParallel(model)
if dist_.get_rank() > 0:
    torch.manual_seed(dist_.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model_(x), y).backward()
        optimizer.step()
if dist_.get_rank() == 0:
    print(hvd, world_size, dist.shape, ddp_model)
del ddp_model_
dist_.destroy_process_group()
