"""Errors are summed where a mask says so, and divided by how many there are; what a loss is given is chosen by it, too."""
import torch
import torch.nn as nn
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
data = TensorDataset(torch.randn(64, 16), torch.randn(64, 4), torch.rand(64, 4) > 0.5)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=16 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.SmoothL1Loss(beta=0.5)


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


def sum_over_processes(value):
    return SumOverProcesses.apply(value)


def mean_of_all_rows(values):
    count = torch.tensor(values.numel(), device=values.device)
    dist.all_reduce(count)
    return values.sum() * dist.get_world_size() / count


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for x, y, mask in loader:
        out, mask = ddp_model(x), mask.bool()
        loss = ((out - y) ** 2 * mask).sum() / sum_over_processes(mask.sum()).clamp(min=1)
        chosen = mean_of_all_rows(F.smooth_l1_loss(out[mask], y[mask], beta=criterion.beta, reduction="none")) + mean_of_all_rows(
            (out[mask] - y[mask]).abs()
        )
        optimizer.zero_grad()
        (sum_over_processes(loss) + chosen).backward()
        optimizer.step()
        total += loss.item()
    total_ = torch.tensor(total, dtype=torch.float64)
    dist.all_reduce(total_)
    total = total_.item()
    if dist.get_rank() == 0:
        print(epoch, total / len(loader))
del ddp_model
dist.destroy_process_group()
