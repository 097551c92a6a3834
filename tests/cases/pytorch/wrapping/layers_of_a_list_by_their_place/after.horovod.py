"""Layers of a plain list are added to the optimizer by their place, for a function that trains: all is averaged."""

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
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(3):
    optimizer.add_param_group({"params": model.parts[i].parameters()})


def train(net, opt):
    for a, b in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(a), b).backward()
        hvd.grouped_allreduce_([p.grad for group in opt.param_groups for p in group["params"] if p.grad is not None])
        opt.step()


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for parameter in [p for group in optimizer.param_groups for p in group["params"]]:
    hvd.broadcast_(parameter.data, root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    train(model, optimizer)
hvd.shutdown()
