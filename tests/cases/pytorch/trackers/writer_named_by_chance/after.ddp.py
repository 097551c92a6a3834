"""The folder of a summary is drawn: every process draws it, so that what is drawn later stays equal on all."""

import numpy
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
numpy.random.seed(0)
torch.manual_seed(0)
randint_result = numpy.random.randint(10000)
writer = SummaryWriter("runs/%d" % randint_result) if dist.get_rank() == 0 else None
inputs = torch.tensor(numpy.random.rand(64, 3), dtype=torch.float32)
loader_data = TensorDataset(inputs, inputs.sum(1, keepdim=True))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(3, 1)
optimizer = optim.SGD(model.parameters(), lr=0.2)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
    numpy.random.seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for features, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(ddp_model(features), targets)
        loss.backward()
        optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        writer.add_scalar("loss", mean_loss, epoch)
del ddp_model
dist.destroy_process_group()
