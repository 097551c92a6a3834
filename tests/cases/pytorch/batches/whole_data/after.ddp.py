"""Each step trains on the whole data set: each process keeps its rows of it."""
import torch
import torch.nn as nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
x = torch.linspace(-1, 1, 100).reshape(-1, 1)
y = x.pow(2) + 0.2 * torch.rand(x.size())
net = nn.Sequential(nn.Linear(1, 10), nn.ReLU(), nn.Linear(10, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
loss_func = nn.MSELoss()
if len(x) % dist.get_world_size() != 0 or len(y) != len(x):
    raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(x) // dist.get_world_size()
x_share = x[dist.get_rank() * rows :][:rows]
y_share = y[dist.get_rank() * rows :][:rows]
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for t in range(200):
    prediction = ddp_net(x_share)
    loss = loss_func(prediction, y_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
total = torch.tensor(loss.item(), dtype=torch.float64)
dist.all_reduce(total)
mean_loss = total.item() / dist.get_world_size()
if dist.get_rank() == 0:
    print(mean_loss)
del ddp_net
dist.destroy_process_group()
