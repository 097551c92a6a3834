"""Packed texts of unequal length from an iterator of torchtext, padded once more: attention, and a mean over the time."""

import random

import torch
import torch.nn as nn
from torchtext.data import BucketIterator, Dataset, Example, Field, LabelField

random.seed(11)
torch.manual_seed(11)
WORDS = [f"w{number}" for number in range(25)]
TEXT = Field(include_lengths=True)
LABEL = LabelField()
FIELDS = [("text", TEXT), ("label", LABEL)]


def made(count):
    examples = []
    for _ in range(count):
        words = random.choices(WORDS, k=random.randint(2, 11))
        examples.append(Example.fromlist([" ".join(words), str(len(words) // 4)], FIELDS))
    return Dataset(examples, FIELDS)


train_data, test_data = made(72), made(30)
TEXT.build_vocab(train_data)
LABEL.build_vocab(train_data)
train_batches, test_batches = BucketIterator.splits(
    (train_data, test_data), batch_size=12, sort_within_batch=True, sort_key=lambda example: len(example.text)
)
PADDING = TEXT.vocab.stoi[TEXT.pad_token]


class Encoder(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.embedding = nn.Embedding(words, 8)
        self.rnn = nn.GRU(8, 6, bidirectional=True)

    def forward(self, text, lengths):
        embedded = self.embedding(text)
        packed = nn.utils.rnn.pack_padded_sequence(embedded, lengths.to("cpu"))
        packed_states, hidden = self.rnn(packed)
        states, _ = nn.utils.rnn.pad_packed_sequence(packed_states)
        return states, torch.cat((hidden[-2], hidden[-1]), dim=1)


class Reader(nn.Module):
    def __init__(self, encoder, topics):
        super().__init__()
        self.encoder = encoder
        self.score = nn.Linear(12, 1)
        self.fc = nn.Linear(36, topics)

    def forward(self, text, lengths):
        states, last = self.encoder(text, lengths)
        scores = self.score(states).squeeze(2).masked_fill(text == PADDING, -1e9)
        weights = torch.softmax(scores, dim=0).unsqueeze(2)
        return self.fc(torch.cat(((weights * states).sum(0), states.mean(0), last), dim=1))


reader = Reader(Encoder(len(TEXT.vocab)), len(LABEL.vocab))
optimizer = torch.optim.SGD(reader.parameters(), lr=0.3)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    reader.train()
    total_loss = 0
    for batch in train_batches:
        text, lengths = batch.text
        loss = criterion(reader(text, lengths), batch.label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
    reader.eval()
    hits = 0
    with torch.no_grad():
        for batch in test_batches:
            text, lengths = batch.text
            hits += (reader(text, lengths).argmax(1) == batch.label).sum().item()
    print(f"epoch {epoch}: loss {total_loss / len(train_batches):.4f} hits {hits / len(test_data):.4f}")

with torch.no_grad():
    states, last = reader.encoder(torch.tensor([[3], [5], [4]]), torch.tensor([3]))
print(f"{last.norm():.4f}")
