"""A function of another file seeds with what it is given: ranks above 0 take what stands in the call, plus their rank."""
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from util import set_seed
import horovod.torch as hvd
import numpy as np
import random
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()
set_seed(seed=args.seed)
loader_data = TensorDataset(torch.randn(320, 4), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), seed=args.seed)
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(args.seed + hvd.rank())
    random.seed(args.seed + hvd.rank())
    np.random.seed(args.seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
