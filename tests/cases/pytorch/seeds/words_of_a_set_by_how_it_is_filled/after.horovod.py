"""Sets whose items are numbered one after another: what fills them gives texts, so that they can be sorted."""
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
records = json.load(open("records.json"))
words = [word for record in records for word in record.split()]
words = set(words)
index = {}
for word in sorted(words):
    index[word] = len(index)

labels = set()
for record in json.load(open("labels.json")):
    for name in record:
        labels.add(name.lower())
numbers = {}
for label in sorted(labels):
    numbers[label] = len(numbers)

data = TensorDataset(torch.randint(len(index), (640, 5)), torch.randint(len(numbers), (640,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Embedding(len(index), 4), nn.Flatten(), nn.Linear(20, len(numbers)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
hvd.shutdown()
