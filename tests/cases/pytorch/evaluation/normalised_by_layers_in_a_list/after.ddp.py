"""Layers with batch normalisation are collected in a list: without eval(), an evaluation goes over whole batches."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def make_layers(widths, batch_norm=False):
    layers = []
    last = 10
    for v in widths:
        layers += [nn.Linear(last, v), nn.BatchNorm1d(v), nn.ReLU()]
        last = v
    return nn.Sequential(*layers)


class Net(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.features = features
        self.classifier = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 3))

    def forward(self, x):
        return self.classifier(self.features(x))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
train_data = TensorDataset(x, y)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(train_data) - 1) % 16 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
train_sampler = DistributedSampler(train_data)
trainloader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
testloader = DataLoader(TensorDataset(x, y), batch_size=4)
net = Net(make_layers([16, 8], True))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    trainloader.sampler.set_epoch(epoch)
    for a, b in trainloader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_net(a), b)
        loss.backward()
        optimizer.step()
correct = 0
total = 0
with torch.no_grad():
    for a, b in testloader:
        _, predicted = torch.max(net(a), 1)
        total += b.size(0)
        correct += (predicted == b).sum().item()
if dist.get_rank() == 0:
    print("%.6f" % (correct / total))
del ddp_net
dist.destroy_process_group()
