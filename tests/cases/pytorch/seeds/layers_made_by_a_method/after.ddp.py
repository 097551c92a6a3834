"""Without a seed, layers that a model makes by a method of its own get rank 0's weights with it: no seed is shared."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.width = 8
        self.layer1 = self.make_layer(widths[0])
        self.layer2 = self.make_layer(widths[1])
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(self.width, 2)

    def make_layer(self, width):
        layers = [nn.Linear(self.width, width), nn.ReLU()]
        self.width = width
        return nn.Sequential(*layers)

    def forward(self, x):
        return self.out(self.drop(self.layer2(self.layer1(x))))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
loader_data = TensorDataset(torch.load("x.pt"), torch.load("y.pt"))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
model = Net([16, 32])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = F.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
