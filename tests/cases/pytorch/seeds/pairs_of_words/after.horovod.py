"""Pairs of neighbouring words are put behind the words of a text, each once, in whatever order."""
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


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


hvd.init()
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
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(500, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
