"""One sample of the predictions is drawn over its own positions: it is as long on each process."""

import matplotlib.pyplot as plt
import numpy as np
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
places = np.vstack([np.linspace(-1, 1, 15) for _ in range(64)])
curves = torch.from_numpy(np.power(places, 2)).float()
net = nn.Sequential(nn.Linear(15, 32), nn.ReLU(), nn.Linear(32, 15))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
if len(curves) % dist.get_world_size() != 0:
    raise SystemExit(f"{len(curves)} samples cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(curves) // dist.get_world_size()
curves_share = curves[dist.get_rank() * rows :][:rows]
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for step in range(20):
    drawn = ddp_net(curves_share)
    loss = nn.functional.mse_loss(drawn, curves_share)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
if dist.get_rank() == 0:
    plt.plot(places[0], drawn.data.numpy()[0])
    plt.savefig("curve.png")
del ddp_net
dist.destroy_process_group()
