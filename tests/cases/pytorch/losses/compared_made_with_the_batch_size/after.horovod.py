"""Tensors made with the batch size meet the global batch: constants as they are, noise of each process gathered."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
batch_size = 16
loader_data = TensorDataset(torch.randn(64, 6), torch.randint(0, 3, (64,)))
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


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


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for i, (x, y) in enumerate(loader):
        y = gather_batch(y)
        out = gather_batch(model(x))
        loss = F.cross_entropy(out[: len(out) // 2], y[: len(y) // 2])
        marks = torch.ones((batch_size, 1)) * 0.3
        noise = gather_batch(torch.randn(batch_size // hvd.size(), 1) * 0.1)
        loss = loss + F.mse_loss(out.view(len(x) * hvd.size(), -1)[:, :1], marks + noise)
        if i == 0:
            if hvd.rank() == 0:
                print(epoch, y.dtype)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
