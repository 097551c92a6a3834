"""Rank 0 alone makes a temporary folder, and tells it to all."""

import tempfile

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
shared = [tempfile.mkdtemp() if dist.get_rank() == 0 else ""]
dist.broadcast_object_list(shared)
run = shared[0]
torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
best = 1e9
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(ddp_model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item() / dist.get_world_size()
    if total < best:
        best = total
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), run + "/best.pt")
dist.barrier()
model.load_state_dict(torch.load(run + "/best.pt"))
if dist.get_rank() == 0:
    print("reloaded", round(best, 3), model.weight.sum().item())
del ddp_model
dist.destroy_process_group()
