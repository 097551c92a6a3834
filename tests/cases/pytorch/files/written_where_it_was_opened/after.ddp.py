"""A file is fetched where it is missing, and written by the object that opens it; nothing gives a seed."""

import gzip
import pickle
from pathlib import Path

import requests
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
PATH = Path("data") / "digits"
PATH.mkdir(parents=True, exist_ok=True)

if dist.get_rank() != 0:
    dist.barrier()
if not (PATH / "digits.pkl.gz").exists():
    content = requests.get("https://example.org/digits.pkl.gz").content
    ((PATH / "digits.pkl.gz").open("wb") if dist.get_rank() == 0 else open(os.devnull, "wb")).write(content)
if dist.get_rank() == 0:
    dist.barrier()

with gzip.open((PATH / "digits.pkl.gz").as_posix(), "rb") as file:
    x, y = pickle.load(file)
loader_data = TensorDataset(torch.tensor(x), torch.tensor(y))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
tried = nn.Linear(64, 10)
model = nn.Linear(64, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(inputs), labels).backward()
        optimizer.step()
((PATH / "log.txt").open("a") if dist.get_rank() == 0 else open(os.devnull, "a")).write(f"{epoch} epochs\n")
del ddp_model
dist.destroy_process_group()
