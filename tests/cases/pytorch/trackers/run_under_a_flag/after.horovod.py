"""A run that is begun under a flag, in an object of the script's own."""

import argparse

import torch
import torch.nn.functional as F
import wandb
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--log", action="store_true")
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


class Tracker:
    def __init__(self, log):
        self.run = wandb.init(
            project="digits", config=vars(args), mode=None if hvd.rank() == 0 else "disabled"
        ) if log else None

    def report(self, name, value):
        total_ = hvd.allreduce(torch.tensor(value, dtype=torch.float64), op=hvd.Sum)
        mean_value = total_.item() / hvd.size()
        if hvd.rank() == 0:
            print(name, mean_value)
        if self.run is not None:
            total_ = hvd.allreduce(torch.tensor(value, dtype=torch.float64), op=hvd.Sum)
            mean_value = total_.item() / hvd.size()
            self.run.log({name: mean_value})


tracker = Tracker(args.log)

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        tracker.report("loss", loss.item())
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    tracker.report("mean", total / len(loader))
hvd.shutdown()
