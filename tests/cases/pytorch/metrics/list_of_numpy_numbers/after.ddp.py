"""A list of NumPy arrays of one number is reduced to numbers of NumPy."""
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
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    losses = []
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        output = ddp_model(xb)
        loss = criterion(output, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach().cpu().numpy())
    totals = torch.tensor([np.mean(losses), float(np.array(losses).mean())], dtype=torch.float64)
    dist.all_reduce(totals)
    mean_losses, mean_array = (
        totals[0].item() / dist.get_world_size(),
        np.float64(totals[1].item() / dist.get_world_size()),
    )
    mean_losses_ = torch.tensor(np.array(losses), dtype=torch.float64)
    dist.all_reduce(mean_losses_)
    mean_losses_ = list((mean_losses_ / dist.get_world_size()).numpy())
    if dist.get_rank() == 0:
        print(epoch, mean_losses, np.array(mean_losses_).max(), mean_array.round(4))
del ddp_model
dist.destroy_process_group()
