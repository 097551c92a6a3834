"""A model keeps a state of the texts that it is evaluated on, and trains on batches that have numbers."""

import torch
import torch.nn as nn
from torchtext import data

torch.manual_seed(0)
TEXT = data.Field()
LABEL = data.Field(sequential=False, unk_token=None)
FIELDS = [("text", TEXT), ("label", LABEL)]
train_data, test_data = data.TabularDataset.splits("texts", train="train.tsv", test="test.tsv", format="tsv", fields=FIELDS)
TEXT.build_vocab(train_data)
LABEL.build_vocab(train_data)
train_iter, test_iter = data.BucketIterator.splits((train_data, test_data), batch_size=8, sort_key=lambda e: len(e.text))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(TEXT.vocab), 20)
        self.rnn = nn.GRU(20, 30)
        self.fc = nn.Linear(30, len(LABEL.vocab))
        self.hidden = torch.zeros(1, 8, 30)

    def forward(self, text):
        output, hidden = self.rnn(self.embedding(text), self.hidden)
        self.hidden = hidden.detach()
        return self.fc(output[-1])


model = Reader()
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    for number, batch in enumerate(train_iter):
        loss = nn.functional.cross_entropy(model(batch.text), batch.label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        for batch in test_iter:
            print(nn.functional.cross_entropy(model(batch.text), batch.label).item())
