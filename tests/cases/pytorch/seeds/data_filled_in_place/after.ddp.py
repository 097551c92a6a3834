"""Data that is drawn by methods, initialisers and distributions, without a seed: rank 0's is shared.

The weights of the layer are drawn in place, too: the wrapper sends them around.
"""

import torch
from torch import nn, optim
from torch.distributions import Normal
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
inputs = nn.init.uniform_(torch.Tensor(1000, 3), -1, 1)
weights = Normal(torch.zeros(3, 1), torch.ones(3, 1)).sample()
noise = torch.empty(1000, 1).normal_(0, 0.1)
targets = inputs.mm(weights) + noise

model = nn.Linear(3, 1)
nn.init.normal_(model.weight, std=0.02)
optimizer = optim.SGD(model.parameters(), lr=0.1)
if len(inputs) % dist.get_world_size() != 0 or len(targets) != len(inputs):
    raise SystemExit(f"inputs, targets of {len(inputs)}, {len(targets)} rows cannot be shared out evenly over {dist.get_world_size()} processes")
rows = len(inputs) // dist.get_world_size()
inputs_share = inputs[dist.get_rank() * rows :][:rows]
targets_share = targets[dist.get_rank() * rows :][:rows]
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for step in range(100):
    optimizer.zero_grad()
    loss = ((ddp_model(inputs_share) - targets_share) ** 2).mean()
    loss.backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()
