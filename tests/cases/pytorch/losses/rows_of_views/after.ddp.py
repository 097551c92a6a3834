"""Views, or frames, of a sample are rows for the model, and come back to their sample."""

import numpy as np
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
loader_data = TensorDataset(torch.from_numpy(np.load("frames.npy")))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
frames = 2
model = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 16))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (inputs,) in loader:
        optimizer.zero_grad()
        rows = ddp_model(inputs.view(-1, 20))
        pairs = rows.view(-1, frames, 16)
        again = rows.view(rows.size(0) // frames, frames, -1)
        maps = inputs.view(-1, 4, 5).mean(2)
        maps = maps.view(maps.size(0) // frames, -1)
        both = ddp_model(torch.cat([inputs[:, 0], inputs[:, 1]])).view(2, -1, 16)
        loss = ((pairs[:, 0] - again[:, 1]) ** 2).mean() + (both[0] ** 2).mean() + (maps ** 2).mean()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
