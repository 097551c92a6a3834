"""A data set of torchtext of the script's own, of whose batches ``next()`` takes one for each step."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchtext import data
import horovod.torch as hvd
import random


class Reviews(data.Dataset):
    def __init__(self, text_field, label_field, path, **more):
        fields = [("text", text_field), ("label", label_field)]
        with open(path) as file:
            examples = [data.Example.fromlist(line.split("\t"), fields) for line in file]
        super().__init__(examples, fields, sort_key=lambda example: len(example.text), **more)


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
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
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
batches = iter(train_iter)


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
    torch.manual_seed(torch.initial_seed() + hvd.rank())
    random.seed((torch.initial_seed() + hvd.rank()) % 2**32)
for step in range(100):
    if step % len(train_iter) == 0:
        batches = iter(train_iter)
    batch = fill_and_share_rows(next(batches))
    loss = F.cross_entropy(model(batch.text), batch.label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        totals = hvd.allreduce(torch.tensor([loss.item(), batch.batch_size], dtype=torch.float64), op=hvd.Sum)
        mean_loss, total_batch_size = totals[0].item() / hvd.size(), int(totals[1])
        if hvd.rank() == 0:
            print(step, mean_loss, total_batch_size)
test_iter = data.Iterator(test_data, batch_size=50, train=False, sort=False)
with torch.no_grad():
    sum_result = sum((model(batch.text).argmax(1) == batch.label).sum().item() for batch in test_iter)
    if hvd.rank() == 0:
        print(sum_result)
hvd.shutdown()
