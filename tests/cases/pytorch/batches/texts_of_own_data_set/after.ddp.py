"""A data set of torchtext of the script's own, of whose batches ``next()`` takes one for each step."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchtext import data
import os
import random
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Reviews(data.Dataset):
    def __init__(self, text_field, label_field, path, **more):
        fields = [("text", text_field), ("label", label_field)]
        with open(path) as file:
            examples = [data.Example.fromlist(line.split("\t"), fields) for line in file]
        super().__init__(examples, fields, sort_key=lambda example: len(example.text), **more)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
random.seed(seed % 2**32)
text_field = data.Field(lower=True, batch_first=True, fix_length=40)
label_field = data.Field(sequential=False, unk_token=None)
train_data = Reviews(text_field, label_field, "train.tsv")
test_data = Reviews(text_field, label_field, "test.tsv")
text_field.build_vocab(train_data)
label_field.build_vocab(train_data)
train_iter = data.Iterator(train_data, batch_size=50)
model = nn.Sequential(nn.EmbeddingBag(len(text_field.vocab), 20), nn.Linear(20, len(label_field.vocab)))
optimizer = torch.optim.Adadelta(model.parameters())
batches = iter(train_iter)


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
    torch.manual_seed(torch.initial_seed() + dist.get_rank())
    random.seed((torch.initial_seed() + dist.get_rank()) % 2**32)
for step in range(100):
    if step % len(train_iter) == 0:
        batches = iter(train_iter)
    batch = fill_and_share_rows(next(batches))
    loss = F.cross_entropy(ddp_model(batch.text), batch.label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        totals = torch.tensor([loss.item(), batch.batch_size], dtype=torch.float64)
        dist.all_reduce(totals)
        mean_loss, total_batch_size = totals[0].item() / dist.get_world_size(), int(totals[1])
        if dist.get_rank() == 0:
            print(step, mean_loss, total_batch_size)
test_iter = data.Iterator(test_data, batch_size=50, train=False, sort=False)
with torch.no_grad():
    sum_result = sum((model(batch.text).argmax(1) == batch.label).sum().item() for batch in test_iter)
    if dist.get_rank() == 0:
        print(sum_result)
del ddp_model
dist.destroy_process_group()
