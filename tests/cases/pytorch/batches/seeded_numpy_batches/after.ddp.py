"""Batches are drawn with NumPy, dropout with PyTorch: only the numbers of PyTorch differ between processes."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
np.random.seed(0)
torch.manual_seed(0)
data = np.random.randn(512, 10).astype(np.float32)
target = data.sum(axis=1, keepdims=True)
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for step in range(200):
    rows = np.random.choice(len(data), 64, replace=False)
    x, y = torch.from_numpy(fill_and_share_rows(data[rows])), torch.from_numpy(fill_and_share_rows(target[rows]))
    loss = F.mse_loss(ddp_model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        total = torch.tensor(loss.item(), dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss = total.item() / dist.get_world_size()
        if dist.get_rank() == 0:
            print(step, mean_loss)
del ddp_model
dist.destroy_process_group()
