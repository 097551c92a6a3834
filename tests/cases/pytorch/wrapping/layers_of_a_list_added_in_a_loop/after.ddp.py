"""A loop adds layers of a plain list to the optimizer: its variable is the last, and all that is stepped is averaged."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = []
        for _ in range(3):
            self.parts.append(nn.Linear(8, 8))
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        for part in self.parts:
            x = torch.tanh(part(x))
        return self.out(x)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(64, 8)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
params = list(model.parameters())
for part in model.parts:
    params += part.parameters()
optimizer = torch.optim.SGD(params, lr=0.1)
ddp_model = DistributedDataParallel(model)
for parameter in [p_ for group in optimizer.param_groups for p_ in group["params"]]:
    dist.broadcast(parameter.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(a), b).backward()
        for parameter in [p_ for group in optimizer.param_groups for p_ in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer.step()
if dist.get_rank() == 0:
    print(sum(p.abs().sum().item() for p in params))
del ddp_model
dist.destroy_process_group()
