"""Packed texts that are padded once more: they are told how long the texts of the whole batch are."""

import torch
import torch.nn as nn
from torchtext import data

torch.manual_seed(0)
TEXT = data.Field(include_lengths=True)
LABEL = data.LabelField(dtype=torch.float)
texts = data.TabularDataset("texts.csv", "csv", [("text", TEXT), ("label", LABEL)])
TEXT.build_vocab(texts)
LABEL.build_vocab(texts)
iterator = data.BucketIterator(texts, batch_size=64, sort_within_batch=True, sort_key=lambda example: len(example.text))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(TEXT.vocab), 20)
        self.rnn = nn.GRU(20, 30)
        self.fc = nn.Linear(30, 1)

    def forward(self, text, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.embedding(text), lengths)
        output, _ = nn.utils.rnn.pad_packed_sequence(self.rnn(packed)[0])
        return self.fc(output.mean(0))


model = Reader()
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    for batch in iterator:
        loss = nn.functional.binary_cross_entropy_with_logits(model(*batch.text).squeeze(1), batch.label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
