"""A directory that rank 0 makes, and that every process asks for afterwards: they wait until it is there."""

import os

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler

hvd.init()
folder = "checkpoints"
if hvd.rank() == 0:
    if not os.path.exists(folder):
        os.makedirs(folder)
hvd.barrier()
os.chdir(folder)
os.chdir("..")
if not os.path.isdir(folder):
    raise NotADirectoryError(folder)

inputs = torch.load("inputs.pt")
loader_data = TensorDataset(inputs, inputs.sum(1, keepdim=True))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(3, 1)
optimizer = optim.SGD(model.parameters(), lr=0.2)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
for features, targets in loader:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(features), targets)
    loss.backward()
    optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), os.path.join(folder, "model.pt"))
hvd.shutdown()
