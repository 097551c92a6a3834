"""A class derived from Sequential calls the layers that its constructor was given: one of them compares samples."""
import torch
from torch import nn
import torch.nn.functional as F
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


class SumOverProcesses(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value):
        total = value.contiguous().clone()
        dist.all_reduce(total)
        return total

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        total = gradient.contiguous().clone()
        dist.all_reduce(total)
        return total


def mean_over_processes(value):
    return SumOverProcesses.apply(value) / dist.get_world_size()


class Center(nn.Module):
    def forward(self, x):
        return x - mean_over_processes(x.mean(0))
class Net(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(8, 16), Center(), nn.Linear(16, 2))
x = torch.randn(240, 8); y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=20 // dist.get_world_size(), sampler=loader_sampler)
model = Net()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(ddp_model(a), b)
        loss.backward()
        opt.step()
    if dist.get_rank() == 0:
        print(epoch)
del ddp_model
dist.destroy_process_group()
