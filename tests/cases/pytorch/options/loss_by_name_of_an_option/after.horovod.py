"""The loss has the name that an option says, and only that of the default can be converted: it is looked at by itself."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import losses
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--loss", default="Squares")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

torch.manual_seed(3)
rows = TensorDataset(torch.randn(64, 5), torch.randn(64, 1))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(rows, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(rows, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(5, 1)
criterion = getattr(losses, args.loss)()
if str(type(criterion)) != "<class 'losses.Squares'>":
    raise SystemExit("this program is for losses.Squares only: convert the script again")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
hvd.broadcast_parameters(criterion.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(3 + hvd.rank())
for epoch in range(args.epochs):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
