"""Batches are cut by an object of one class or another, and have a part more with one than with the other."""
import argparse

import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--pairs", action="store_true")
args = parser.parse_args()


class Words:
    def __init__(self, rows, size):
        self.rows, self.size, self.place = rows, size, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.place >= len(self.rows):
            self.place = 0
            raise StopIteration
        rows = self.rows[self.place : self.place + self.size]
        self.place += self.size
        return self.tensors(rows)

    def tensors(self, rows):
        words = torch.LongTensor([row[0] for row in rows])
        lengths = torch.LongTensor([row[1] for row in rows])
        return (words, lengths), torch.LongTensor([row[2] for row in rows])


class Pairs:
    def __init__(self, rows, size):
        self.rows, self.size, self.place = rows, size, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.place >= len(self.rows):
            self.place = 0
            raise StopIteration
        rows = self.rows[self.place : self.place + self.size]
        self.place += self.size
        words = torch.LongTensor([row[0] for row in rows])
        pairs = torch.LongTensor([[(a + b) % 20 for a, b in zip(row[0], row[0][1:])] for row in rows])
        lengths = torch.LongTensor([row[1] for row in rows])
        return (words, lengths, pairs), torch.LongTensor([row[2] for row in rows])


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.output = nn.Linear(8, 3)

    def forward(self, batch):
        return self.output(self.embedding(batch[0]).mean(dim=1))


torch.manual_seed(0)
rows = [([(i * k + k) % 20 for k in range(6)], 6, i % 3) for i in range(96)]
if args.pairs:
    batches = Pairs(rows, 16)
else:
    batches = Words(rows, 16)
model = Tagger()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fill_and_share_rows(batch):
    if isinstance(batch, tuple):
        return tuple(map(fill_and_share_rows, batch))
    rows = torch.arange(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size()) % len(batch)
    return batch[rows]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    for step, (texts, labels) in enumerate(map(fill_and_share_rows, batches)):
        loss = nn.functional.cross_entropy(ddp_model(texts), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
