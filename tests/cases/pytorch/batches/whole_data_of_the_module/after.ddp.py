"""A function trains on all data of the module in each step."""

import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.linspace(-1, 1, 100).unsqueeze(1)
y = x.pow(2) + 0.2 * torch.rand(x.size())


def fit_and_save():
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
        torch.manual_seed(dist.get_rank())
    for t in range(100):
        prediction = ddp_net(x_share)
        loss = loss_func(prediction, y_share)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(net.state_dict(), "net.pt")


fit_and_save()
dist.destroy_process_group()
