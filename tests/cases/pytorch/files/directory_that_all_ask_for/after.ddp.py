"""A directory that rank 0 makes, and that every process asks for afterwards: they wait until it is there."""

import os

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
folder = "checkpoints"
if dist.get_rank() == 0:
    if not os.path.exists(folder):
        os.makedirs(folder)
dist.barrier()
os.chdir(folder)
os.chdir("..")
if not os.path.isdir(folder):
    raise NotADirectoryError(folder)

inputs = torch.load("inputs.pt")
loader_data = TensorDataset(inputs, inputs.sum(1, keepdim=True))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(3, 1)
optimizer = optim.SGD(model.parameters(), lr=0.2)
ddp_model = DistributedDataParallel(model)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for features, targets in loader:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(ddp_model(features), targets)
    loss.backward()
    optimizer.step()
if dist.get_rank() == 0:
    torch.save(model.state_dict(), os.path.join(folder, "model.pt"))
del ddp_model
dist.destroy_process_group()
