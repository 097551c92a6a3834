"""A class of settings makes up a name where it is defined, which rank 0 tells before."""

import os
import uuid

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


hvd.init()
class Config:
    name = "r" + hvd.broadcast_object(uuid.uuid4()).hex
    out = os.path.join("runs", name)


if hvd.rank() == 0:
    os.makedirs(Config.out)
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
            torch.save(model.state_dict(), Config.out + "/best.pt")
hvd.barrier()
model.load_state_dict(torch.load(Config.out + "/best.pt"))
if hvd.rank() == 0:
    print("reloaded", round(best, 3), model.weight.sum().item())
hvd.shutdown()
