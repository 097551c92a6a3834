"""The step calls net.forward(x): the forward method of the wrapper does the same, and synchronises."""
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
loader_data = TensorDataset(torch.randn(300, 6), torch.randn(300, 1))
if 30 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=30 // dist.get_world_size(), sampler=loader_sampler)
net = nn.Linear(6, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        out = ddp_net.forward(x)
        nn.functional.mse_loss(out, y).backward()
        optimizer.step()
del ddp_net
dist.destroy_process_group()
