"""Two views in one batch are cut at the number of samples as the script has it: what is cut is gathered first."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
x = torch.rand(512, 8)
loader_data = TensorDataset(x, x.flip(1))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler, drop_last=True)
model = nn.Linear(8, 4)
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
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for first, second in loader:
        out = gather_batch(model(torch.cat([first, second])))
        loss = F.mse_loss(out[:64], out[64:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
