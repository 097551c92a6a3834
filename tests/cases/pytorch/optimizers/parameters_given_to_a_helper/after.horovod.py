"""What a helper that makes the optimizer is given is followed to the model and to the loose parameter."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def make_optimizer(parameters, rate=0.1):
    return hvd.DistributedOptimizer(torch.optim.SGD(parameters, lr=rate))


hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 3)
scale = nn.Parameter(torch.ones(1))
optimizer = make_optimizer(list(model.parameters()) + [scale])

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for parameter in [scale]:
    hvd.broadcast_(parameter.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        loss = F.cross_entropy(model(inputs) * scale, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
