"""Pairs of neighbouring words are put behind the words of a text, each once, in whatever order."""
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def with_pairs(words):
    pairs = set(zip(*[words[start:] for start in range(2)]))
    for pair in sorted(pairs):
        words.append(" ".join(pair))
    return words


def known(words):
    numbers = {}
    for word in dict.fromkeys(words):
        key = word.lower()
        numbers[key] = len(numbers)
    return numbers


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
with open("texts.json") as file:
    texts = [with_pairs(words) for words in json.load(file)]
    numbers = known([word for words in texts for word in words])
rows = torch.zeros(len(texts), 500)
for row, text in zip(rows, texts):
    for word in text:
        row[numbers[word.lower()] % 500] += 1
labels = torch.randint(2, (len(texts),))
loader_data = TensorDataset(rows, labels)
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(500, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
