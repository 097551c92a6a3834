"""The function that trains an epoch evaluates as well: there the bare model is called."""
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
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(train_data) - 1) % 16 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
train_sampler = DistributedSampler(train_data)
train = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
val_data = TensorDataset(x[256:289], y[256:289])
val_sampler = range(dist.get_rank(), len(val_data), dist.get_world_size())
val = DataLoader(val_data, batch_size=16, sampler=val_sampler)
model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
optim = torch.optim.Adam(model.parameters(), lr=0.1)

def one(net):
    net.train()
    for x, y in train:
        loss = nn.functional.mse_loss(net(x), y)
        optim.zero_grad()
        loss.backward()
        optim.step()
    for buffer in net.buffers():
        dist.broadcast(buffer, src=0)
    net.eval()
    total = 0.
    with torch.no_grad():
        for x, y in val:
            total += nn.functional.mse_loss(net.module(x), y, reduction="sum").item()
        total_ = torch.tensor(total, dtype=torch.float64)
        dist.all_reduce(total_)
        total = total_.item()
    return total / len(val.dataset)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train.sampler.set_epoch(epoch)
    one_result = one(ddp_model)
    if dist.get_rank() == 0:
        print(one_result)
del ddp_model
dist.destroy_process_group()
