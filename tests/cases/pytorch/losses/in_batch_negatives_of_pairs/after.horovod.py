"""Pairs whose other halves are the negatives, with labels of the batch's length."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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
    loader_data = TensorDataset(images[:, :32], images[:, 32:])
    if 64 % hvd.size() != 0:
        raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
    loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler, drop_last=True)
    model = Pair()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for top, bottom in loader:
            a, b, scale = model(top, bottom)
            logits = gather_batch(scale * a) @ gather_batch(b).t()
            labels = torch.arange(len(top) * hvd.size())
            loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if hvd.rank() == 0:
            print(epoch, loss.item())


if __name__ == "__main__":
    hvd.init()
    main()
    hvd.shutdown()
