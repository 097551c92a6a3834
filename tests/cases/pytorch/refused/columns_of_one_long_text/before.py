"""One long text that torchtext cuts into columns, whose batches follow one another in time."""

import torch
import torch.nn as nn
from torchtext import data, datasets

torch.manual_seed(0)
TEXT = data.Field(lower=True)
train_data, valid_data, test_data = datasets.WikiText2.splits(TEXT)
TEXT.build_vocab(train_data)
train_iter, valid_iter, test_iter = data.BPTTIterator.splits(
    (train_data, valid_data, test_data), batch_size=32, bptt_len=30
)
model = nn.Sequential(nn.Embedding(len(TEXT.vocab), 64), nn.Linear(64, len(TEXT.vocab)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in train_iter:
    scores = model(batch.text)
    loss = nn.functional.cross_entropy(scores.view(-1, scores.size(2)), batch.target.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
