"""A table is written, and read by a function that is told its folder and its name: all wait until it is there."""

import pandas
import torch
import torch.nn as nn
from torchtext import data
import horovod.torch as hvd
import random

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
random.seed(seed % 2**32)
torch.manual_seed(0)
folder = "texts"
frame = pandas.read_csv("all.csv").dropna()
if hvd.rank() == 0:
    frame.to_csv(f"{folder}/train.csv", index=False)
TEXT = data.Field()
LABEL = data.LabelField(dtype=torch.float)
hvd.barrier()
(texts,) = data.TabularDataset.splits(folder, train="train.csv", format="csv", fields=[("text", TEXT), ("label", LABEL)])
TEXT.build_vocab(texts)
LABEL.build_vocab(texts)
iterator = data.BucketIterator(texts, batch_size=64)
model = nn.EmbeddingBag(len(TEXT.vocab), 1)
optimizer = torch.optim.Adam(model.parameters())
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def fill_and_share_rows(batch):
    rows = range(hvd.rank(), hvd.rank() + len(batch), hvd.size())
    rows = sorted(row % len(batch) for row in rows)
    for name, field in batch.dataset.fields.items():
        if field is not None:
            value = getattr(batch, name)
            texts, *lengths = value if field.include_lengths else (value,)
            texts = texts[:, rows] if field.sequential and not field.batch_first else texts[rows]
            setattr(batch, name, (texts, *(each[rows] for each in lengths)) if lengths else texts)
    batch.batch_size = len(rows)
    return batch


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
    random.seed((torch.initial_seed() + hvd.rank()) % 2**32)
for epoch in range(3):
    for batch in map(fill_and_share_rows, iterator):
        loss = nn.functional.binary_cross_entropy_with_logits(model(batch.text.t()).squeeze(1), batch.label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
