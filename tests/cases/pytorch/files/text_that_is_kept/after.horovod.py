"""A text that is made where it is missing, and read where it is there."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


hvd.init()
torch.manual_seed(0)
path = "numbers.txt"
if hvd.rank() != 0:
    hvd.barrier()
if not os.path.exists(path):
    text = " ".join(str(number % 7) for number in range(160))
    with open(path if hvd.rank() == 0 else os.devnull, "w") as file:
        file.write(text)
else:
    with open(path) as file:
        text = file.read()
if hvd.rank() == 0:
    hvd.barrier()
features = torch.tensor([float(word) for word in text.split()]).view(40, 4) / 7
loader_data = TensorDataset(features, features.sum(1, keepdim=True))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(f"epoch {epoch}: {total / len(loader):.4f}")
hvd.shutdown()

