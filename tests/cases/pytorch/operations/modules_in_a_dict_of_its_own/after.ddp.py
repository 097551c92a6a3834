"""Blocks derived from ModuleDict, which pass what they are given through all of their layers."""

from collections import OrderedDict

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Layer(nn.Module):
    def __init__(self, c, growth):
        super().__init__()
        self.add_module("norm1", nn.BatchNorm1d(c))
        self.add_module("fc1", nn.Linear(c, growth))

    def forward(self, inputs):
        if isinstance(inputs, torch.Tensor):
            prev = [inputs]
        else:
            prev = inputs
        return self.fc1(self.norm1(torch.cat(prev, 1)))


class Block(nn.ModuleDict):
    def __init__(self, n, c, growth):
        super().__init__()
        for i in range(n):
            layer = Layer(c + i * growth, growth)
            self.add_module("layer%d" % (i + 1), layer)

    def forward(self, init):
        features = [init]
        for name, layer in self.items():
            features.append(layer(features))
        return torch.cat(features, 1)


class Transition(nn.Sequential):
    def __init__(self, c, out):
        super().__init__()
        self.add_module("norm", nn.BatchNorm1d(c))
        self.add_module("fc", nn.Linear(c, out))


class Net(nn.Module):
    def __init__(self, config=(2, 2), c=8, growth=4):
        super().__init__()
        self.features = nn.Sequential(OrderedDict([("fc0", nn.Linear(8, c)), ("relu0", nn.ReLU())]))
        for i, n in enumerate(config):
            block = Block(n, c, growth)
            self.features.add_module("block%d" % (i + 1), block)
            c = c + n * growth
            if i != len(config) - 1:
                self.features.add_module("transition%d" % (i + 1), Transition(c, c // 2))
                c = c // 2
        self.features.add_module("norm5", nn.BatchNorm1d(c))
        self.classifier = nn.Linear(c, 3)

    def forward(self, x):
        return self.classifier(torch.relu(self.features(x)))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(loader_data) - 1) % 16 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and BatchNorm1d needs two: use drop_last=True")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
