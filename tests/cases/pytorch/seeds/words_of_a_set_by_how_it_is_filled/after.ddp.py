"""Sets whose items are numbered one after another: what fills them gives texts, so that they can be sorted."""
import json

import torch
import torch.nn as nn
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
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Sequential(nn.Embedding(len(index), 4), nn.Flatten(), nn.Linear(20, len(numbers)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
