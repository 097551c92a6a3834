"""A helper that draws in a loop is called between epochs, too: rank 0 tells what it has drawn."""
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Subset, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
random.seed(0)
torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))


def chosen():
    rows = []
    for start in range(0, 64, 16):
        rows.extend(hvd.broadcast_object(random.sample(range(start, start + 16), k=8)))
    return rows


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
rows = chosen()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
    random.seed(hvd.rank())
for epoch in range(3):
    loader_data = Subset(data, rows)
    if 8 % hvd.size() != 0:
        raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
    for x, y in DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    rows = chosen()
hvd.shutdown()
