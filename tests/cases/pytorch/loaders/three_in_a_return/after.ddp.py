"""Loaders of one statement: each keeps its own data, and the data sets are made in the same order."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def make(n):
    return TensorDataset(torch.randn(n, 6), torch.randn(n, 1))


def loaders():
    loader_data = make(320)
    loader_data_ = make(70)
    loader_data_2 = make(130)
    if 32 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
    return DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(loader_data)), DataLoader(loader_data_, batch_sampler=list(BatchSampler(range(len(loader_data_)), 20, drop_last=False))[dist.get_rank()::dist.get_world_size()]), DataLoader(loader_data_2, batch_sampler=list(BatchSampler(range(len(loader_data_2)), 20, drop_last=False))[dist.get_rank()::dist.get_world_size()])


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_loader, val_loader, test_loader = loaders()
net = nn.Linear(6, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        loss = F.mse_loss(ddp_net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    val = test = 0
    with torch.no_grad():
        for x, y in val_loader:
            val += F.mse_loss(net(x), y).item()
        totals = torch.tensor([val, len(val_loader)], dtype=torch.float64)
        dist.all_reduce(totals)
        val, num_batches = totals[0].item(), int(totals[1])
        for x, y in test_loader:
            test += F.mse_loss(net(x), y).item()
        totals = torch.tensor([test, len(test_loader)], dtype=torch.float64)
        dist.all_reduce(totals)
        test, num_batches_ = totals[0].item(), int(totals[1])
    if dist.get_rank() == 0:
        print(val / num_batches, test / num_batches_)
del ddp_net
dist.destroy_process_group()
