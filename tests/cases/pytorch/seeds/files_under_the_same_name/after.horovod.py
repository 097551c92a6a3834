"""The files of a folder are sifted, and keep their name: they are put in order, as under any other name."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
names = sorted(os.listdir("data"))
names = [name for name in names if name.endswith(".pt")]
others = os.listdir("more")
others = list(filter(None, others))
others = sorted(others)
rows = torch.stack([torch.load(os.path.join("data", name)) for name in names])
if hvd.rank() == 0:
    print(len(others), others[0])
kept, rest = random_split(TensorDataset(rows[:, :6], rows[:, 6:]), [24, 8])
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(kept, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(kept, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
hvd.shutdown()
