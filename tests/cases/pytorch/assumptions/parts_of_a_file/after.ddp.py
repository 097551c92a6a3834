"""Columns of a tensor from a file of unknown content: they are assumed to have the samples in their first dimension."""

import pickle

import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def columns(data, start, length):
    length = min(length, data.size(1) - 1 - start)
    return data[:, start : start + length], data[:, start + 1 : start + 1 + length]


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
with open("corpus.pkl", "rb") as file:
    corpus = pickle.load(file)
text = corpus["text"].view(16, -1)
torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def share_rows(batch):
    if len(batch) % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
    rows = len(batch) // dist.get_world_size()
    return batch[dist.get_rank() * rows :][:rows]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    for start in range(0, text.size(1) - 1, 20):
        tokens, following = map(share_rows, columns(text, start, 20))
        scores = ddp_model(tokens)
        loss = criterion(scores.reshape(-1, 30), following.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
