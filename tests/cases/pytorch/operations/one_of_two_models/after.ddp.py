"""Which of two models is trained is chosen by an option, and one of them subtracts the mean of the batch."""
import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(10, 2)

    def forward(self, x):
        return self.head(x)


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


class Centered(Plain):
    def forward(self, x):
        return self.head(x - mean_over_processes(x.mean(0)))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--centered", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randint(0, 2, (320,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data, shuffle=False)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = Centered() if args.centered else Plain()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(epoch)
del ddp_model
dist.destroy_process_group()
