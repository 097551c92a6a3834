"""A data set of torchtext of the script's own, of whose batches ``next()`` takes one for each step."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchtext import data


class Reviews(data.Dataset):
    def __init__(self, text_field, label_field, path, **more):
        fields = [("text", text_field), ("label", label_field)]
        with open(path) as file:
            examples = [data.Example.fromlist(line.split("\t"), fields) for line in file]
        super().__init__(examples, fields, sort_key=lambda example: len(example.text), **more)


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
for step in range(100):
    if step % len(train_iter) == 0:
        batches = iter(train_iter)
    batch = next(batches)
    loss = F.cross_entropy(model(batch.text), batch.label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item(), batch.batch_size)
test_iter = data.Iterator(test_data, batch_size=50, train=False, sort=False)
with torch.no_grad():
    print(sum((model(batch.text).argmax(1) == batch.label).sum().item() for batch in test_iter))
