"""Dicts in a list are not followed, so what is written of them is reviewed; an array of single numbers is made whole."""

import json

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.rand(256, 8), torch.randint(0, 4, (256,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(8, 4)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
rows = []

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        rows.append({"epoch": epoch, "loss": loss.item()})

with open("rows.json" if hvd.rank() == 0 else os.devnull, "w") as file:
    json.dump(rows, file)
total = hvd.allreduce(torch.tensor(loss.item(), dtype=torch.float64), op=hvd.Sum)
mean_loss = total.item() / hvd.size()
if hvd.rank() == 0:
    print({"epoch": epoch, "loss": mean_loss})
mean_row = hvd.allreduce(torch.tensor([row["loss"] for row in rows], dtype=torch.float64), op=hvd.Sum)
mean_row = (mean_row / hvd.size()).tolist()
if hvd.rank() == 0:
    np.save("losses.npy", np.array(mean_row))
hvd.shutdown()
