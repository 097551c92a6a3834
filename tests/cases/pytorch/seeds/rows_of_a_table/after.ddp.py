"""pandas draws rows by NumPy's numbers: a table is split alike on all processes."""

import pandas as pd
import torch
from torch import nn
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
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
np.random.seed(seed % 2**32)
table = pd.read_csv("data.csv")
train = table.sample(frac=0.8)
valid = table.drop(train.index).sample(100)
features, labels = torch.tensor(train[["a", "b"]].values).float(), torch.tensor(train["label"].values)
loader_data = TensorDataset(features, labels)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(torch.initial_seed() + dist.get_rank())
    np.random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(inputs), targets).backward()
        optimizer.step()
    with torch.no_grad():
        outputs = model(torch.tensor(valid[["a", "b"]].values).float())
    if dist.get_rank() == 0:
        print((outputs.argmax(1) == torch.tensor(valid["label"].values)).float().mean().item())
del ddp_model
dist.destroy_process_group()
