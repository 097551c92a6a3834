"""A sample of a training batch that is read by its place is checked to be in each process's share at the start."""
import torch
from torch import nn
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
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
if 16 // dist.get_world_size() < 6:
    raise SystemExit(f"each of {dist.get_world_size()} processes needs at least 6 samples of a batch")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(ddp_model(xb), yb).backward()
        opt.step()
    if dist.get_rank() == 0:
        print(epoch, xb[5].shape)
del ddp_model
dist.destroy_process_group()
