"""An object makes up its folder in its constructor, and paths in a method: rank 0 tells the folder."""

import os
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Run:
    def __init__(self, base):
        self.dir = os.path.join(base, str(hvd.broadcast_object(time.time_ns())))
        if hvd.rank() == 0:
            os.makedirs(self.dir)

    def path(self, name):
        return os.path.join(self.dir, name)


hvd.init()
run = Run("runs")
torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] > 0).long()
loader_data = TensorDataset(x, y)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
best = 1e9
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if total < best:
        best = total
        if hvd.rank() == 0:
            torch.save(model.state_dict(), run.path("best.pt"))
hvd.barrier()
model.load_state_dict(torch.load(run.path("best.pt")))
if hvd.rank() == 0:
    print("reloaded", round(best, 3), model.weight.sum().item())
hvd.shutdown()
