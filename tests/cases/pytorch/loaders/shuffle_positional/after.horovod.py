"""Batch size and shuffle are given by position; shuffle cannot stay beside a sampler."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision.datasets import FashionMNIST
from torchvision.transforms import ToTensor
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if hvd.rank() == 0:
    FashionMNIST("./data", True, ToTensor(), download=True)
hvd.barrier()
train_data = FashionMNIST("./data", True, ToTensor(), download=True)
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, 64 // hvd.size(), False, sampler=train_sampler)

net = nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 100), nn.ReLU(), nn.Linear(100, 10))
optimizer = torch.optim.Adam(net.parameters(), 0.001)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
loss_func = nn.CrossEntropyLoss()

hvd.broadcast_parameters(net.state_dict(), root_rank=0)
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for step, (b_x, b_y) in enumerate(train_loader):
        loss = loss_func(net(b_x), b_y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(net, "net.pkl")
hvd.shutdown()
