"""The hardest triplets of a batch; evaluation computes the same loss on all data."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def pairwise_distances(embeddings):
    dot_product = torch.matmul(embeddings, embeddings.t())
    square_norm = torch.diag(dot_product)
    distances = square_norm.unsqueeze(0) - 2.0 * dot_product + square_norm.unsqueeze(1)
    return F.relu(distances)


def batch_hard_triplet_loss(labels, embeddings, margin):
    distances = pairwise_distances(embeddings)
    same = labels.unsqueeze(0) == labels.unsqueeze(1)
    other = ~torch.eye(labels.size(0)).bool()
    hardest_positive, _ = (distances * (same & other).float()).max(1, keepdim=True)
    most, _ = distances.max(1, keepdim=True)
    hardest_negative, _ = (distances + most * same.float()).min(1, keepdim=True)
    return F.relu(hardest_positive - hardest_negative + margin).mean()


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
    labels = torch.randint(10, (1797,))
    loader_data = TensorDataset(images[:1500], labels[:1500])
    if 50 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 50 cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(loader_data)
    loader = DataLoader(loader_data, batch_size=50 // dist.get_world_size(), sampler=loader_sampler)
    held_out = DataLoader(TensorDataset(images[1500:], labels[1500:]), batch_size=100)
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    if dist.get_rank() > 0:
        torch.manual_seed(dist.get_rank())
    for epoch in range(2):
        model.train()
        total = 0.0
        loader.sampler.set_epoch(epoch)
        for data, target in loader:
            optimizer.zero_grad()
            loss = batch_hard_triplet_loss(gather_batch(target), gather_batch(ddp_model(data)), 0.5)
            loss.backward()
            optimizer.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            value = sum(batch_hard_triplet_loss(t, model(x), 0.5).item() for x, t in held_out) / len(held_out)
        if dist.get_rank() == 0:
            print(epoch, total / len(loader), value)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
main()
dist.destroy_process_group()
