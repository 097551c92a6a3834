"""A summed loss plus a penalty on the weights: one is a sum over ranks, the other is not; summing would count the penalty N times."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
criterion = nn.MSELoss(reduction='sum')
optimizer = torch.optim.SGD(model.parameters(), lr=0.0005)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def sum_over_processes(value):
    return hvd.allreduce(value, op=hvd.Sum)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        penalty = sum((p ** 2).sum() for p in model.parameters())
        loss = sum_over_processes(criterion(model(x), y)) + 0.5 * penalty
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
