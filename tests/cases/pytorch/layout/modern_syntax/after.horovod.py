"""match, walrus, parenthesised with and positional-only parameters around the training."""
import sys

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
match sys.argv[1:]:
    case ["small"]:
        width = 4
    case _:
        width = 16


def step(model, optimizer, x, y, /, *, clip=None):
    optimizer.zero_grad()
    (loss := nn.functional.mse_loss(model(x), y)).backward()
    optimizer.step()
    return loss


loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Linear(width, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        step(model, optimizer, x, y)
with (
    torch.no_grad(),
    open("prediction.txt" if hvd.rank() == 0 else os.devnull, "w") as f,
):
    f.write(str(model(torch.zeros(1, 10)).item()))
hvd.shutdown()
