"""A model of an own class, with layers by number, or layers in a row: each is looked at as it was made."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Centred(nn.Module):
    def forward(self, x):
        return x - x.mean(dim=1, keepdim=True)


class Stages(nn.Module):
    def __init__(self, count):
        super().__init__()
        for number in range(count):
            self.add_module(f"stage{number}", nn.Linear(4, 4))
        self.count = count

    def forward(self, x):
        for number in range(self.count):
            x = torch.relu(getattr(self, f"stage{number}")(x))
        return x


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--model", default="stages")
options = parser.parse_args()

torch.manual_seed(3)
loader_data = TensorDataset(torch.randn(64, 4), torch.randn(64, 4))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
if options.model == "stages":
    model = Stages(2)
elif options.model == "row":
    model = nn.Sequential(nn.Linear(4, 4), Centred(), nn.Linear(4, 4))
else:
    model = nn.Linear(4, 4)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(3 + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
