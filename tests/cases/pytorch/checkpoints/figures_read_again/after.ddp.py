"""Figures that rank 0 saves are read again by names that are written otherwise: the others wait for them."""

import imageio
import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
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
data = TensorDataset(torch.randn(96, 6), torch.rand(96, 1))
if 12 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=12 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(ddp_model(x), y)
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        plt.plot([1, 2, epoch])
        plt.savefig(f"img_{epoch}.png")
images = []
dist.barrier()
for e in range(2):
    name = "img_" + str(e) + ".png"
    images.append(imageio.imread(name))
if dist.get_rank() == 0:
    imageio.mimsave("all.gif", images, fps=5)
del ddp_model
dist.destroy_process_group()
