"""Points of which the rows are put one after another have to be equally many, or the program stops at its start."""

import torch
import torch.nn as nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.linspace(0, 1, 40).view(-1, 1)
x_b = torch.rand(8, 1)
if len(x) % dist.get_world_size() != 0 or len(x_b) != len(x):
    raise SystemExit(f"x, x_b of {len(x)}, {len(x_b)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x) // dist.get_world_size()
x_share = x[dist.get_rank() * rows :][:rows]
x_b_share = x_b[dist.get_rank() * rows :][:rows]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for i in range(20):
    z = torch.cat([x_share, x_b_share])
    loss = ((ddp_model(z) - torch.sin(z)) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()
