"""Rank 0 fetches files and tells the others their names: by then the files are there."""
import urllib.request

import torch
import wget
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def fetched(url):
    shared = [urllib.request.urlretrieve(url) if dist.get_rank() == 0 else ()]
    dist.broadcast_object_list(shared)
    path, _ = shared[0]
    return path


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
shared = [wget.download("https://example.org/rows.pt") if dist.get_rank() == 0 else ""]
dist.broadcast_object_list(shared)
name = shared[0]
rows = torch.load(name)
labels = torch.load(fetched("https://example.org/labels.pt"))
shared = [wget.download("https://example.org/start.pt", "start.pt") if dist.get_rank() == 0 else ""]
dist.broadcast_object_list(shared)
start = torch.load(shared[0])
loader_data = TensorDataset(rows, labels)
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(8, 2)
model.load_state_dict(start)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), targets)
        loss.backward()
        optimizer.step()
    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_loss)
del ddp_model
dist.destroy_process_group()
