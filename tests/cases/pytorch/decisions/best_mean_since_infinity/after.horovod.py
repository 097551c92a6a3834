"""The mean loss of an epoch is compared with the best one, which begins with the infinity of a library."""

import math
from math import inf

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def train_one_epoch(model, loader, optimizer):
    losses = []
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(np.mean(losses), dtype=torch.float64), op=hvd.Sum)
    mean_losses = total.item() / hvd.size()
    if hvd.rank() == 0:
        print(f"loss {mean_losses:.4f}")
    return np.mean(losses)


hvd.init()
torch.manual_seed(0)
model = nn.Linear(8, 4)
loader_data = TensorDataset(torch.rand(64, 8), torch.randint(4, (64,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=2)
best_loss, best_later, least = np.inf, math.inf, inf
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(5):
    loader.sampler.set_epoch(epoch)
    mean_loss = train_one_epoch(model, loader, optimizer)
    total = hvd.allreduce(torch.tensor(mean_loss, dtype=torch.float64), op=hvd.Sum)
    global_mean_loss = total.item() / hvd.size()
    scheduler.step(global_mean_loss)
    totals = hvd.allreduce(torch.tensor([mean_loss, best_loss], dtype=torch.float64), op=hvd.Sum)
    global_mean_loss, mean_best_loss = totals[0].item() / hvd.size(), np.float64(totals[1].item() / hvd.size())
    if global_mean_loss < mean_best_loss:
        best_loss = mean_loss
        if hvd.rank() == 0:
            torch.save(model.state_dict(), "best.pt")
    totals = hvd.allreduce(torch.tensor([mean_loss, best_later], dtype=torch.float64), op=hvd.Sum)
    global_mean_loss, mean_best_later = totals[0].item() / hvd.size(), np.float64(totals[1].item() / hvd.size())
    if epoch > 2 and global_mean_loss < mean_best_later:
        best_later = mean_loss
        if hvd.rank() == 0:
            torch.save(model.state_dict(), "best_later.pt")
    totals = hvd.allreduce(torch.tensor([mean_loss, least], dtype=torch.float64), op=hvd.Sum)
    global_mean_loss, mean_least = totals[0].item() / hvd.size(), np.float64(totals[1].item() / hvd.size())
    if global_mean_loss < mean_least:
        least = mean_loss
        if hvd.rank() == 0:
            print("better")
hvd.shutdown()
