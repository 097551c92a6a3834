"""The mean loss of an epoch is compared with the best one, which begins with the infinity of a library."""

import math
from math import inf

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def train_one_epoch(model, loader, optimizer):
    losses = []
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    total = torch.tensor(np.mean(losses), dtype=torch.float64)
    dist.all_reduce(total)
    mean_losses = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(f"loss {mean_losses:.4f}")
    return np.mean(losses)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.Linear(8, 4)
loader_data = TensorDataset(torch.rand(64, 8), torch.randint(4, (64,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=2)
best_loss, best_later, least = np.inf, math.inf, inf
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    mean_loss = train_one_epoch(ddp_model, loader, optimizer)
    total = torch.tensor(mean_loss, dtype=torch.float64)
    dist.all_reduce(total)
    global_mean_loss = total.item() / dist.get_world_size()
    scheduler.step(global_mean_loss)
    totals = torch.tensor([mean_loss, best_loss], dtype=torch.float64)
    dist.all_reduce(totals)
    global_mean_loss, mean_best_loss = (
        totals[0].item() / dist.get_world_size(),
        np.float64(totals[1].item() / dist.get_world_size()),
    )
    if global_mean_loss < mean_best_loss:
        best_loss = mean_loss
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "best.pt")
    totals = torch.tensor([mean_loss, best_later], dtype=torch.float64)
    dist.all_reduce(totals)
    global_mean_loss, mean_best_later = (
        totals[0].item() / dist.get_world_size(),
        np.float64(totals[1].item() / dist.get_world_size()),
    )
    if epoch > 2 and global_mean_loss < mean_best_later:
        best_later = mean_loss
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "best_later.pt")
    totals = torch.tensor([mean_loss, least], dtype=torch.float64)
    dist.all_reduce(totals)
    global_mean_loss, mean_least = (
        totals[0].item() / dist.get_world_size(),
        np.float64(totals[1].item() / dist.get_world_size()),
    )
    if global_mean_loss < mean_least:
        least = mean_loss
        if dist.get_rank() == 0:
            print("better")
del ddp_model
dist.destroy_process_group()
