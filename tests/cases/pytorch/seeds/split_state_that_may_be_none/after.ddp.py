"""A random_state that may be None: then the split is drawn from NumPy's own numbers, so rank 0's seed is shared."""
import argparse

from sklearn.model_selection import train_test_split

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import numpy as np
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed_ = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed_, src=0)
seed_ = seed_.item()
np.random.seed(seed_ % 2**32)
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
args = parser.parse_args()
x, y = torch.ones(640, 10), torch.ones(640, 1)
x, _, y, _ = train_test_split(x, y, random_state=args.seed)
loader_data = TensorDataset(x, y)
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(torch.initial_seed() + dist.get_rank())
    np.random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
