"""A table is written, and read by a function that is told its folder and its name: all wait until it is there."""

import pandas
import torch
import torch.nn as nn
from torchtext import data
import os
import random
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
random.seed(seed % 2**32)
torch.manual_seed(0)
folder = "texts"
frame = pandas.read_csv("all.csv").dropna()
if dist.get_rank() == 0:
    frame.to_csv(f"{folder}/train.csv", index=False)
TEXT = data.Field()
LABEL = data.LabelField(dtype=torch.float)
dist.barrier()
(texts,) = data.TabularDataset.splits(folder, train="train.csv", format="csv", fields=[("text", TEXT), ("label", LABEL)])
TEXT.build_vocab(texts)
LABEL.build_vocab(texts)
iterator = data.BucketIterator(texts, batch_size=64)
model = nn.EmbeddingBag(len(TEXT.vocab), 1)
optimizer = torch.optim.Adam(model.parameters())


def fill_and_share_rows(batch):
    rows = range(dist.get_rank(), dist.get_rank() + len(batch), dist.get_world_size())
    rows = sorted(row % len(batch) for row in rows)
    for name, field in batch.dataset.fields.items():
        if field is not None:
            value = getattr(batch, name)
            texts, *lengths = value if field.include_lengths else (value,)
            texts = texts[:, rows] if field.sequential and not field.batch_first else texts[rows]
            setattr(batch, name, (texts, *(each[rows] for each in lengths)) if lengths else texts)
    batch.batch_size = len(rows)
    return batch


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
    random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
for epoch in range(3):
    for batch in map(fill_and_share_rows, iterator):
        loss = nn.functional.binary_cross_entropy_with_logits(ddp_model(batch.text.t()).squeeze(1), batch.label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
