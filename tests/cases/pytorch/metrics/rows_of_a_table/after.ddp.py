"""Dicts in a list are not followed, so what is written of them is reviewed; an array of single numbers is made whole."""

import json

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
loader_data = TensorDataset(torch.rand(256, 8), torch.randint(0, 4, (256,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 4)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
rows = []

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), targets)
        loss.backward()
        optimizer.step()
        rows.append({"epoch": epoch, "loss": loss.item()})

with open("rows.json" if dist.get_rank() == 0 else os.devnull, "w") as file:
    json.dump(rows, file)
total = torch.tensor(loss.item(), dtype=torch.float64)
dist.all_reduce(total)
mean_loss = total.item() / dist.get_world_size()
if dist.get_rank() == 0:
    print({"epoch": epoch, "loss": mean_loss})
mean_row = torch.tensor([row["loss"] for row in rows], dtype=torch.float64)
dist.all_reduce(mean_row)
mean_row = (mean_row / dist.get_world_size()).tolist()
if dist.get_rank() == 0:
    np.save("losses.npy", np.array(mean_row))
del ddp_model
dist.destroy_process_group()
