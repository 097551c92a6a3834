"""Pairs whose other halves are the negatives, with labels of the batch's length."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(32, 16)
        self.right = nn.Linear(32, 16)
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, top, bottom):
        a = F.normalize(self.left(top), dim=1)
        b = F.normalize(self.right(bottom), dim=1)
        return a, b, self.scale.exp()


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


def main():
    torch.manual_seed(0)
    images = torch.rand(1797, 64)
    loader_data = TensorDataset(images[:, :32], images[:, 32:])
    if 64 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data, drop_last=True)
    loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler, drop_last=True)
    model = Pair()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for top, bottom in loader:
            a, b, scale = ddp_model(top, bottom)
            logits = gather_batch(scale * a) @ gather_batch(b).t()
            labels = torch.arange(len(top) * dist.get_world_size())
            loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())


if __name__ == "__main__":
    if "RANK" not in os.environ:
        raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
    dist.init_process_group("gloo")
    main()
    dist.destroy_process_group()
