"""Sums are kept in an array, a tensor of integers and a row of averages."""
import numpy as np
import torch
import torch.nn as nn
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
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()
train_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    sums = np.zeros(2)
    hits = torch.zeros(2, dtype=torch.long)
    averages = torch.zeros(2)
    train_loader.sampler.set_epoch(epoch)
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        outputs = ddp_model(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        sums += np.array([loss.item() * len(targets), len(targets)])
        right = (outputs.argmax(1) == targets).sum().item()
        hits += torch.tensor([right, len(targets)])
        averages += torch.tensor([loss.item(), outputs.detach().mean().item()])
    total_sums = torch.tensor(sums, dtype=torch.float64)
    dist.all_reduce(total_sums)
    sums = total_sums.numpy().astype(sums.dtype)
    total_hits = hits.detach().clone().double()
    dist.all_reduce(total_hits)
    hits = total_hits.to(hits.dtype)
    total_averages = averages.detach().clone().double()
    dist.all_reduce(total_averages)
    averages = (total_averages / dist.get_world_size()).to(averages.dtype)
    averages /= len(train_loader)
    if dist.get_rank() == 0:
        print(epoch, sums[0] / sums[1], (hits[0] / hits[1]).item(), averages.tolist(), np.sqrt(sums))
del ddp_model
dist.destroy_process_group()
