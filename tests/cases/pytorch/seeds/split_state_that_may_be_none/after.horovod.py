"""A random_state that may be None: then the split is drawn from NumPy's own numbers, so rank 0's seed is shared."""
import argparse

from sklearn.model_selection import train_test_split

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import numpy as np
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed_ = hvd.broadcast_object(torch.initial_seed() % 2**63)
np.random.seed(seed_ % 2**32)
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
args = parser.parse_args()
x, y = torch.ones(640, 10), torch.ones(640, 1)
x, _, y, _ = train_test_split(x, y, random_state=args.seed)
loader_data = TensorDataset(x, y)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(torch.initial_seed() + hvd.rank())
    np.random.seed((torch.initial_seed() + hvd.rank()) % 2**32)
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
