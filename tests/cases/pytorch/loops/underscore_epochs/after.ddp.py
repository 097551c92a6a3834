"""The epoch variable is _ : set_epoch uses it as it is."""
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
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
ds = TensorDataset(torch.randn(256, 10), torch.randn(256, 1))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
dl = DataLoader(ds, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(ds))
lin = nn.Linear(10, 1)
opt = torch.optim.Adagrad(lin.parameters(), lr=0.1)
ddp_lin = DistributedDataParallel(lin)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(7):
    dl.sampler.set_epoch(epoch)
    for xb, yb in dl:
        opt.zero_grad()
        ((ddp_lin(xb) - yb) ** 2).mean().backward()
        opt.step()
if dist.get_rank() == 0:
    torch.save(lin.state_dict(), 'lin.pth')
del ddp_lin
dist.destroy_process_group()
