"""Fields of torchtext that come out of a file: that texts have the time first is assumed."""

import pickle

import torch
import torch.nn as nn
from torchtext.data import BucketIterator, Dataset
import horovod.torch as hvd
import random

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
random.seed(seed % 2**32)
torch.manual_seed(0)
with open("texts.pickle", "rb") as file:
    known = pickle.load(file)
train_data = Dataset(known["train"], {"src": known["src"], "trg": known["trg"]})
train_iter = BucketIterator(train_data, batch_size=32, sort_key=lambda example: len(example.src))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(known["src"].vocab), 16)
        self.fc = nn.Linear(16, len(known["trg"].vocab))

    def forward(self, src):
        return self.fc(self.embedding(src))


model = Tagger()
optimizer = torch.optim.Adam(model.parameters())
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters(), op=hvd.Sum)
criterion = nn.CrossEntropyLoss(reduction="sum")


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
    for batch in map(fill_and_share_rows, train_iter):
        src, trg = batch.src.transpose(0, 1), batch.trg.transpose(0, 1)
        scores = model(src)
        loss = criterion(scores.reshape(-1, scores.size(2)), trg.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
