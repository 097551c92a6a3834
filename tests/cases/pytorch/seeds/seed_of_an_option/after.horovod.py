"""Options that cannot be None where a generator is seeded: each has a number, one way or another."""
import argparse
import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--split-seed", type=int, default=None)
parser.add_argument("--order-seed", type=int)
parser.add_argument("--noise-seed", type=int)
args = parser.parse_args()
if args.split_seed is None:
    args.split_seed = args.seed
if args.noise_seed is None:
    parser.print_help()
    raise SystemExit("which noise?")
x, y = torch.ones(640, 10), torch.ones(640, 1)
rng = np.random.default_rng(args.seed)
split = np.random.RandomState(args.split_seed).permutation(640)[:512]
order = random.Random(args.order_seed if args.order_seed is not None else 1).sample(range(512), 512)
noise = np.random.default_rng(args.noise_seed or 2).normal(size=(640, 10)) + rng.normal()
x = x + torch.from_numpy(noise).float()
rows = split[order]
loader_data = TensorDataset(x[rows], y[rows])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
