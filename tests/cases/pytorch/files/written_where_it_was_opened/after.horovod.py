"""A file is fetched where it is missing, and written by the object that opens it; nothing gives a seed."""

import gzip
import pickle
from pathlib import Path

import requests
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
PATH = Path("data") / "digits"
PATH.mkdir(parents=True, exist_ok=True)

if hvd.rank() != 0:
    hvd.barrier()
if not (PATH / "digits.pkl.gz").exists():
    content = requests.get("https://example.org/digits.pkl.gz").content
    ((PATH / "digits.pkl.gz").open("wb") if hvd.rank() == 0 else open(os.devnull, "wb")).write(content)
if hvd.rank() == 0:
    hvd.barrier()

with gzip.open((PATH / "digits.pkl.gz").as_posix(), "rb") as file:
    x, y = pickle.load(file)
loader_data = TensorDataset(torch.tensor(x), torch.tensor(y))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
tried = nn.Linear(64, 10)
model = nn.Linear(64, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
((PATH / "log.txt").open("a") if hvd.rank() == 0 else open(os.devnull, "a")).write(f"{epoch} epochs\n")
hvd.shutdown()
