"""The hardest triplets of a batch; evaluation computes the same loss on all data."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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
        return hvd.allgather(values.contiguous()).unflatten(0, (hvd.size(), -1)).transpose(0, 1).flatten(0, 1)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        return hvd.allreduce(gradient.contiguous(), op=hvd.Sum)[hvd.rank() :: hvd.size()]


def gather_batch(values):
    return GatherBatch.apply(values)


def main():
    torch.manual_seed(0)
    images = torch.rand(1797, 64)
    labels = torch.randint(10, (1797,))
    loader_data = TensorDataset(images[:1500], labels[:1500])
    if 50 % hvd.size() != 0:
        raise SystemExit(f"batch size 50 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=50 // hvd.size(), sampler=loader_sampler)
    held_out = DataLoader(TensorDataset(images[1500:], labels[1500:]), batch_size=100)
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(2):
        model.train()
        total = 0.0
        loader.sampler.set_epoch(epoch)
        for data, target in loader:
            optimizer.zero_grad()
            loss = batch_hard_triplet_loss(gather_batch(target), gather_batch(model(data)), 0.5)
            loss.backward()
            optimizer.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            value = sum(batch_hard_triplet_loss(t, model(x), 0.5).item() for x, t in held_out) / len(held_out)
        if hvd.rank() == 0:
            print(epoch, total / len(loader), value)


hvd.init()
main()
hvd.shutdown()
