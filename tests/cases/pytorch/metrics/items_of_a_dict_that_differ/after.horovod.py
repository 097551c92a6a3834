"""Items of a dict that differ between processes: by what is put in, under any key, or by a call of a library."""

import heapq

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
loader_data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=64 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
curves = {"hits": [], "largest": []}
named = {"hits": [], "largest": []}
updated = {"hits": 0, "largest": 0}
pushed = {"hits": [], "largest": []}
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    hits, largest = 0, 0.0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        hits += (output.argmax(1) == y).sum().item()
        largest = max(largest, loss.item())
    total = hvd.allreduce(torch.tensor(hits, dtype=torch.float64), op=hvd.Sum)
    hits = int(total)
    curves["hits"].append(hits)
    curves["largest"].append(largest)
    for name, number in zip(named, (hits, largest)):
        named[name] = [*named[name], number]
    updated.update([("hits", hits), ("largest", largest)][: epoch + 1])
    heapq.heappush(pushed["largest"], largest)
if hvd.rank() == 0:
    print(curves["hits"])
    print(curves["largest"])
    print(named["hits"])
    print(updated["hits"])
    print(pushed["hits"])
    print(pushed["largest"])
hvd.shutdown()
