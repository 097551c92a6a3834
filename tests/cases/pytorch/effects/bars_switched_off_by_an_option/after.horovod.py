"""Bars that an option, the terminal or a mapping switches off stay off on rank 0; one that is never shown is left."""

import argparse
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm, trange
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--quiet", action="store_true")
args = parser.parse_args()
options = {"disable": args.quiet, "ncols": 80}
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=16 // hvd.size(), sampler=loader_sampler)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in tqdm(range(3), disable=hvd.rank() != 0 or args.quiet):
    loader.sampler.set_epoch(epoch)
    for x, y in tqdm(loader, **dict(options, disable=hvd.rank() != 0 or options.get("disable", False))):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
for _ in tqdm(range(3), disable=hvd.rank() != 0 or (not sys.stdout.isatty())):
    pass
for _ in trange(3, disable=hvd.rank() != 0 or None):
    pass
for _ in tqdm(range(3), disable=hvd.rank() != 0):
    pass
for _ in tqdm(range(3), disable=True):
    pass
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
