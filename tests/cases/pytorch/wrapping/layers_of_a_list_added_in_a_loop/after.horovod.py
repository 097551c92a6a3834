"""A loop adds layers of a plain list to the optimizer: its variable is the last, and all that is stepped is averaged."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = []
        for _ in range(3):
            self.parts.append(nn.Linear(8, 8))
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        for part in self.parts:
            x = torch.tanh(part(x))
        return self.out(x)


hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 8)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = Net()
params = list(model.parameters())
for part in model.parts:
    params += part.parameters()
optimizer = torch.optim.SGD(params, lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for parameter in [p_ for group in optimizer.param_groups for p_ in group["params"]]:
    hvd.broadcast_(parameter.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(a), b).backward()
        optimizer.step()
if hvd.rank() == 0:
    print(sum(p.abs().sum().item() for p in params))
hvd.shutdown()
