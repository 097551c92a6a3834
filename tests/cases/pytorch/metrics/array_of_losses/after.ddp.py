"""The losses of all steps are laid out as an array of NumPy, which is no single number to be averaged as one."""

import numpy
import torch
from torch import nn, optim
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
inputs = torch.rand(8, 1)
targets = 2 * inputs + 3
model = nn.Linear(1, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
losses = []
if len(inputs) % dist.get_world_size() != 0 or len(targets) != len(inputs):
    raise SystemExit(f"inputs, targets of {len(inputs)}, {len(targets)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(inputs) // dist.get_world_size()
inputs_share = inputs[dist.get_rank() * rows :][:rows]
targets_share = targets[dist.get_rank() * rows :][:rows]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for step in range(6):
    optimizer.zero_grad()
    loss = ((ddp_model(inputs_share) - targets_share) ** 2).mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.data.numpy())
curve = numpy.reshape(losses, (3, 2))
if dist.get_rank() == 0:
    print(curve)
del ddp_model
dist.destroy_process_group()
