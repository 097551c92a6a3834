"""Batch losses collected in a list, np.mean at the end of the epoch: the mean is over the ranks' lists together."""
import numpy as np
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
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(256, 6), torch.randn(256, 2))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(4):
    losses = []
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.smooth_l1_loss(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    total = torch.tensor(np.mean(losses), dtype=torch.float64)
    dist.all_reduce(total)
    mean_losses = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print('epoch %d loss %.4f' % (epoch, mean_losses))
del ddp_model
dist.destroy_process_group()
