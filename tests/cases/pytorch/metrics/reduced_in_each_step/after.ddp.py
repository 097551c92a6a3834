"""What is accumulated is no sum or mean over the samples: squares of losses, sums of losses times sizes."""
import math
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
y = x[:, :1] - x[:, 1:2]
train_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
model = nn.Linear(6, 1)
criterion = nn.MSELoss(reduction="sum")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    total, count, squares, ratios = 0.0, 0, 0.0, 0.0
    train_loader.sampler.set_epoch(epoch)
    for step, (inputs, targets) in enumerate(train_loader):
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), targets)
        (loss * dist.get_world_size()).backward()
        optimizer.step()
        total_ = torch.tensor(loss.item(), dtype=torch.float64)
        dist.all_reduce(total_)
        total_loss = total_.item()
        squares += total_loss ** 2
        totals = torch.tensor([loss.item(), inputs.size(0)], dtype=torch.float64)
        dist.all_reduce(totals)
        total_loss, total_inputs = totals[0].item(), int(totals[1])
        total += total_loss * total_inputs
        count += inputs.size(0)
        if step > 1:
            totals = torch.tensor([loss.item(), targets.abs().sum().item()], dtype=torch.float64)
            dist.all_reduce(totals)
            total_loss, total_abs = totals.tolist()
            ratios = ratios + total_loss / total_abs
    total_ = torch.tensor(count, dtype=torch.float64)
    dist.all_reduce(total_)
    count = int(total_)
    if dist.get_rank() == 0:
        print(epoch, total / count, math.sqrt(squares / len(train_loader)), ratios)
del ddp_model
dist.destroy_process_group()
