"""A data set has all of its rows when its loader is made; what it keeps of the samples that it gave does not tell its length."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler


class Rollouts(Dataset):
    def __init__(self):
        self.rows = []
        self.seen = {}

    def load(self, name):
        self.rows += torch.load(name)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        self.seen[index] = True
        return self.rows[index][:6], self.rows[index][6:]


hvd.init()
torch.manual_seed(0)
rollouts = Rollouts()
for name in ("a.pt", "b.pt"):
    rollouts.load(name)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(rollouts, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(rollouts, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
