"""Each process has every N-th row of a batch that is cut by hand; they are put in order before they are compared."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_x, train_y = torch.randn(64, 6), torch.randn(64)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fill_and_share_rows(batch):
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]




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


ddp_model = DistributedDataParallel(model)
for epoch in range(3):
    order = torch.randperm(len(train_x))
    for start in range(0, len(train_x), 16):
        rows = order[start : start + 16]
        x, y = fill_and_share_rows(train_x[rows]), fill_and_share_rows(train_y[rows])
        y = gather_batch(y)
        out = gather_batch(ddp_model(x).squeeze(-1))
        loss = F.margin_ranking_loss(out[:-1], out[1:], torch.sign(y[:-1] - y[1:]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
