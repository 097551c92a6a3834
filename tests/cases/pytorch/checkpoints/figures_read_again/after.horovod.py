"""Figures that rank 0 saves are read again by names that are written otherwise: the others wait for them."""

import imageio
import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 6), torch.rand(96, 1))
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    if hvd.rank() == 0:
        plt.plot([1, 2, epoch])
        plt.savefig(f"img_{epoch}.png")
images = []
hvd.barrier()
for e in range(2):
    name = "img_" + str(e) + ".png"
    images.append(imageio.imread(name))
if hvd.rank() == 0:
    imageio.mimsave("all.gif", images, fps=5)
hvd.shutdown()
