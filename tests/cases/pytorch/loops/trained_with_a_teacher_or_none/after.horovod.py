"""A function is given a teacher or ``None``, and asks which."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 4), torch.randn(96, 1))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler)


def train(model, optimizer, teacher):
    loader.sampler.set_epoch(loader.sampler.epoch + 1)
    for x, y in loader:
        wanted = y if teacher is None else teacher(x).detach()
        loss = nn.functional.mse_loss(model(x), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


large, small = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1)), nn.Linear(4, 1)
large_optimizer = torch.optim.SGD(large.parameters(), lr=0.05)
large_optimizer = hvd.DistributedOptimizer(large_optimizer)
hvd.broadcast_parameters(large.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    train(large, large_optimizer, None)
small_optimizer = torch.optim.SGD(small.parameters(), lr=0.05)
small_optimizer = hvd.DistributedOptimizer(small_optimizer)
hvd.broadcast_parameters(large.state_dict(), root_rank=0)
hvd.broadcast_parameters(small.state_dict(), root_rank=0)
for epoch in range(2):
    train(small, small_optimizer, large)
hvd.shutdown()
