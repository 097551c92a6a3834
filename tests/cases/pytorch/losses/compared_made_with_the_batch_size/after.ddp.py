"""Tensors made with the batch size meet the global batch: constants as they are, noise of each process gathered."""
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
batch_size = 16
loader_data = TensorDataset(torch.randn(64, 6), torch.randint(0, 3, (64,)))
if batch_size % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


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
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(loader):
        y = gather_batch(y)
        out = gather_batch(ddp_model(x))
        loss = F.cross_entropy(out[: len(out) // 2], y[: len(y) // 2])
        marks = torch.ones((batch_size, 1)) * 0.3
        noise = gather_batch(torch.randn(batch_size // dist.get_world_size(), 1) * 0.1)
        loss = loss + F.mse_loss(out.view(len(x) * dist.get_world_size(), -1)[:, :1], marks + noise)
        if i == 0:
            if dist.get_rank() == 0:
                print(epoch, y.dtype)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
