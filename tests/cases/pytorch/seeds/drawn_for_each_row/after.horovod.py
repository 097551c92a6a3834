"""A function that a table calls for each row draws the same numbers on all processes."""

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
np.random.seed(seed % 2**32)
table = pd.read_csv("table.csv")
table["x"] = table["x"].apply(lambda value: value + np.random.normal())
x = torch.tensor(table[["x"]].to_numpy(), dtype=torch.float32)
y = torch.tensor(table[["y"]].to_numpy(), dtype=torch.float32)
loader_data = TensorDataset(x, y)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(torch.initial_seed() + hvd.rank())
    np.random.seed((torch.initial_seed() + hvd.rank()) % 2**32)
for a, b in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(a), b).backward()
    optimizer.step()
hvd.shutdown()
