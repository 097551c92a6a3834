"""Layers that are appended to a Sequential are called by it: one of them compares the samples of a batch."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(0)


def mean_over_processes(value):
    return hvd.allreduce(value, op=hvd.Sum) / hvd.size()


class Center(nn.Module):
    def forward(self, x):
        return x - mean_over_processes(x.mean(0))
x = torch.randn(240, 8); y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential()
model.add_module("a", nn.Linear(8, 16))
model.append(Center())
model.append(nn.Linear(16,2))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        opt.step()
    if hvd.rank() == 0:
        print(epoch)
hvd.shutdown()
