"""Columns of a tensor from a file of unknown content: they are assumed to have the samples in their first dimension."""

import pickle

import torch
from torch import nn
import horovod.torch as hvd


def columns(data, start, length):
    length = min(length, data.size(1) - 1 - start)
    return data[:, start : start + length], data[:, start + 1 : start + 1 + length]


hvd.init()
with open("corpus.pkl", "rb") as file:
    corpus = pickle.load(file)
text = corpus["text"].view(16, -1)
torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def share_rows(batch):
    if len(batch) % hvd.size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {hvd.size()} processes")
    rows = len(batch) // hvd.size()
    return batch[hvd.rank() * rows :][:rows]


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    for start in range(0, text.size(1) - 1, 20):
        tokens, following = map(share_rows, columns(text, start, 20))
        scores = model(tokens)
        loss = criterion(scores.reshape(-1, 30), following.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
