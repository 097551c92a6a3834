"""A function that a table calls for each row draws the same numbers on all processes."""

import numpy as np
import pandas as pd
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
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
np.random.seed(seed % 2**32)
table = pd.read_csv("table.csv")
table["x"] = table["x"].apply(lambda value: value + np.random.normal())
x = torch.tensor(table[["x"]].to_numpy(), dtype=torch.float32)
y = torch.tensor(table[["y"]].to_numpy(), dtype=torch.float32)
loader_data = TensorDataset(x, y)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(torch.initial_seed() + dist.get_rank())
    np.random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
for a, b in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(ddp_model(a), b).backward()
    optimizer.step()
del ddp_model
dist.destroy_process_group()
