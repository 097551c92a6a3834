"""What is read is what was written, and what was computed has changed since."""
import os
import numpy as np, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
if dist.get_rank() != 0:
    dist.barrier()
if not os.path.isfile("rows.npy"):
    rows = np.sin(np.arange(192.0)).reshape(64, 3)
    if dist.get_rank() == 0:
        np.save("rows.npy", rows)
    rows = rows * 2
else:
    rows = np.load("rows.npy")
if dist.get_rank() == 0:
    dist.barrier()
x = torch.tensor(rows, dtype=torch.float32)
loader_data = TensorDataset(x, x.sum(1, keepdim=True))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.mse_loss(ddp_model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
