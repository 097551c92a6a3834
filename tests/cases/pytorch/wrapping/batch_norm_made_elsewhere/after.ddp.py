"""A layer of its own class is trained behind layers with batch normalisation that were made elsewhere."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))

    def forward(self, x):
        return self.head(self.body(x))


class Classifier2(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(2, 4)

    def forward(self, x):
        return self.line(x)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
network = Network()
encoder = nn.Sequential(*list(network.children())[:-1])
encoder.eval()
inputs = torch.randn(67, 8)
with torch.no_grad():
    features = encoder(inputs)
train_data = TensorDataset(features, torch.randint(0, 4, (67,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(train_data) - 1) % 16 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler)
classifier = nn.Sequential(network.head, Classifier2())
optimizer = torch.optim.SGD(classifier.parameters(), lr=0.1)
ddp_classifier = DistributedDataParallel(classifier)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_classifier(x), y).backward()
        optimizer.step()
del ddp_classifier
dist.destroy_process_group()
