"""Loaders of one statement: each keeps its own data, and the data sets are made in the same order."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler


def make(n):
    return TensorDataset(torch.randn(n, 6), torch.randn(n, 1))


def loaders():
    loader_data = make(320)
    loader_data_ = make(70)
    loader_data_2 = make(130)
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    return DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())), DataLoader(loader_data_, batch_sampler=list(BatchSampler(range(len(loader_data_)), 20, drop_last=False))[hvd.rank()::hvd.size()]), DataLoader(loader_data_2, batch_sampler=list(BatchSampler(range(len(loader_data_2)), 20, drop_last=False))[hvd.rank()::hvd.size()])


hvd.init()
torch.manual_seed(0)
train_loader, val_loader, test_loader = loaders()
net = nn.Linear(6, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=net.named_parameters())
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    val = test = 0
    with torch.no_grad():
        for x, y in val_loader:
            val += F.mse_loss(net(x), y).item()
        totals = hvd.allreduce(torch.tensor([val, len(val_loader)], dtype=torch.float64), op=hvd.Sum)
        val, num_batches = totals[0].item(), int(totals[1])
        for x, y in test_loader:
            test += F.mse_loss(net(x), y).item()
        totals = hvd.allreduce(torch.tensor([test, len(test_loader)], dtype=torch.float64), op=hvd.Sum)
        test, num_batches_ = totals[0].item(), int(totals[1])
    if hvd.rank() == 0:
        print(val / num_batches, test / num_batches_)
hvd.shutdown()
