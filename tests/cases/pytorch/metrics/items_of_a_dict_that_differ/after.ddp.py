"""Items of a dict that differ between processes: by what is put in, under any key, or by a call of a library."""

import heapq

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
loader_data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=64 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
curves = {"hits": [], "largest": []}
named = {"hits": [], "largest": []}
updated = {"hits": 0, "largest": 0}
pushed = {"hits": [], "largest": []}
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    hits, largest = 0, 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        output = ddp_model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        hits += (output.argmax(1) == y).sum().item()
        largest = max(largest, loss.item())
    total = torch.tensor(hits, dtype=torch.float64)
    dist.all_reduce(total)
    hits = int(total)
    curves["hits"].append(hits)
    curves["largest"].append(largest)
    for name, number in zip(named, (hits, largest)):
        named[name] = [*named[name], number]
    updated.update([("hits", hits), ("largest", largest)][: epoch + 1])
    heapq.heappush(pushed["largest"], largest)
if dist.get_rank() == 0:
    print(curves["hits"])
    print(curves["largest"])
    print(named["hits"])
    print(updated["hits"])
    print(pushed["hits"])
    print(pushed["largest"])
del ddp_model
dist.destroy_process_group()
