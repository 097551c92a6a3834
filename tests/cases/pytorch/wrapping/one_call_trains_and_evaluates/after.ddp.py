"""A function that makes the loss is called in training and in evaluation: an evaluation does not pass DDP."""
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
x = torch.randn(320, 8)
y = x.sum(1, keepdim=True)
train_data = TensorDataset(x[:256], y[:256])
val_data = TensorDataset(x[256:], y[256:])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(train_data) - 1) % 16 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
val_sampler = range(dist.get_rank(), len(val_data), dist.get_world_size())
train_sampler = DistributedSampler(train_data)
train, val = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler), DataLoader(val_data, batch_size=16, sampler=val_sampler)
model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
optim = torch.optim.Adam(model.parameters(), lr=0.1)

def loss_of(batch):
    x, y = batch
    return nn.functional.mse_loss((ddp_model if torch.is_grad_enabled() else model)(x), y, reduction="sum")

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    model.train()
    train.sampler.set_epoch(epoch)
    for batch in train:
        loss = loss_of(batch)
        optim.zero_grad()
        (loss * dist.get_world_size()).backward()
        optim.step()
    for buffer in model.buffers():
        dist.broadcast(buffer, src=0)
    model.eval()
    total = 0.
    with torch.no_grad():
        for batch in val:
            total += loss_of(batch).item()
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item()
    if dist.get_rank() == 0:
        print(epoch, total / len(val.dataset))
del ddp_model
dist.destroy_process_group()
