"""The model is called twice in a step (siamese pairs), with one backward: the wrapper serves both calls."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
a, b = torch.randn(400, 10), torch.randn(400, 10)
loader_data = TensorDataset(a, b, torch.randint(0, 2, (400,)).float())
if 40 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=40 // dist.get_world_size(), sampler=loader_sampler)
net = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x0, x1, label in loader:
        d = nn.functional.pairwise_distance(ddp_net(x0), ddp_net(x1))
        loss = ((1 - label) * d.pow(2) + label * torch.clamp(2 - d, min=0).pow(2)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_net
dist.destroy_process_group()
