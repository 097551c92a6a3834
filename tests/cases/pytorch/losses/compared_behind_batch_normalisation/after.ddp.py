"""Projections behind a batch normalisation are compared; the mask is made with the batch size of the script."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(12, 16)
        self.head = nn.Sequential(nn.Linear(16, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 8))

    def forward(self, x):
        found = self.body(x)
        return F.normalize(found, dim=-1), F.normalize(self.head(found), dim=-1)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
batch_size = 32
first = torch.randn(640, 12)
views = TensorDataset(first, first + 0.1 * torch.randn(640, 12))
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(views, drop_last=True)
loader = DataLoader(views, batch_size=batch_size // dist.get_world_size(), sampler=loader_sampler, drop_last=True)
model = Encoder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


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


for tensor in [*model.parameters(), *model.buffers()]:
    dist.broadcast(tensor.data, src=0)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for one, other in loader:
        _, out_1 = model(one)
        out_1 = gather_batch(out_1)
        _, out_2 = model(other)
        out_2 = gather_batch(out_2)
        out = torch.cat([out_1, out_2], dim=0)
        alike = torch.exp(torch.mm(out, out.t().contiguous()) / 0.5)
        mask = (torch.ones_like(alike) - torch.eye(2 * batch_size)).bool()
        alike = alike.masked_select(mask).view(2 * batch_size, -1)
        pairs = torch.exp(torch.sum(out_1 * out_2, dim=-1) / 0.5)
        pairs = torch.cat([pairs, pairs], dim=0)
        loss = (-torch.log(pairs / alike.sum(dim=-1))).mean()
        optimizer.zero_grad()
        loss.backward()
        for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)
                parameter.grad /= dist.get_world_size()
        optimizer.step()
        total += loss.item()
    if dist.get_rank() == 0:
        print(epoch, total / len(loader))
dist.destroy_process_group()
