"""Tensors with as many rows as a batch are kept in a list in front of the loop; each step takes as many as it has."""
import torch
from torch import nn
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
size = 12
net = nn.Linear(5, 5)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
loader_data = TensorDataset(torch.randn(48, 5))
if size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=size // dist.get_world_size(), sampler=loader_sampler)
style = torch.linspace(0, 1, 5).repeat(size, 1)
kept = [part.pow(2) for part in (style, style + 1)]


class GatherBatch(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values):
        values = values.contiguous()
        shards = [torch.empty_like(values) for _ in range(dist.get_world_size())]
        dist.all_gather(shards, values)
        return torch.stack(shards, dim=1).flatten(0, 1)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        total = gradient.contiguous().clone()
        dist.all_reduce(total)
        return total[dist.get_rank() :: dist.get_world_size()]


def gather_batch(values):
    return GatherBatch.apply(values)


ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        optimizer.zero_grad()
        made = ddp_net(x)
        loss = 0.0
        for one, other in zip((made, made + 1), kept):
            loss = loss + nn.functional.mse_loss(gather_batch(one), other[: (len(x) * dist.get_world_size())])
        loss.backward()
        optimizer.step()
del ddp_net
dist.destroy_process_group()
